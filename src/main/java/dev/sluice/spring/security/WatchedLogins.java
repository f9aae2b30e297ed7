package dev.sluice.spring.security;

import java.lang.reflect.Modifier;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/**
 * Listens to what Spring Security publishes when an authentication has failed: a wrong password in a form or by Basic, a
 * token that is not valid, a provider of OAuth2 that says no. It listens to the publisher and not to its events, since
 * not every failure has an event. A failure of the service that was asked, such as a database that is away, is nobody's
 * wrong password.
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
