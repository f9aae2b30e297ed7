package dev.sluice.spring.security;

import java.lang.reflect.Modifier;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/**
 * Reports failed logins: wrong passwords in forms or with Basic, invalid tokens, refusals of an OAuth2 provider. It wraps
 * Spring Security's publisher of authentication events, since not every failure has an event. Failures of the
 * authentication service, such as a database that is away, are not reported: they are no wrong passwords.
 */
public final class WatchedLogins implements BeanPostProcessor {

    private static final String FAILURE = "publishAuthenticationFailure";

    public WatchedLogins() {}

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AuthenticationEventPublisher)) {
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
        proxy.addAdvice((MethodBeforeAdvice) (method, arguments, target) -> {
            if (method.getName().equals(FAILURE)
                    && arguments[0] instanceof AuthenticationException failure
                    && !(failure instanceof AuthenticationServiceException)) {
                RequestUnderWay.loginFailed();
            }
        });
        return proxy.getProxy(bean.getClass().getClassLoader());
    }
}
