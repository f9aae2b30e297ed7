package dev.sluice.spring.security;

import dev.sluice.config.Sluice;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.AuthenticationException;

/**
 * Reports failed logins: wrong passwords in forms or with Basic, invalid tokens, refusals by an OAuth2 provider. Wraps
 * authentication managers, because one of the application's own may publish no events. Also wraps Spring Security's
 * event publisher, because a login may use a manager that is not a bean.
 */
public final class WatchedLogins implements BeanPostProcessor {

    private static final String AUTHENTICATE = "authenticate";
    private static final String SUCCESS = "publishAuthenticationSuccess";
    private static final String FAILURE = "publishAuthenticationFailure";

    private final UncountedLogins uncounted;

    /**
     * Reports to these limiters.
     *
     * @param limiters found when they are needed
     */
    public WatchedLogins(ObjectProvider<Sluice> limiters) {
        this.uncounted = new UncountedLogins(limiters::stream);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AuthenticationEventPublisher) {
            return proxy(bean, (MethodBeforeAdvice) (method, arguments, target) -> {
                if (method.getName().equals(SUCCESS)) {
                    LoginAttempt.succeeded();
                } else if (method.getName().equals(FAILURE)
                        && arguments[0] instanceof AuthenticationException failure) {
                    LoginAttempt.failed(failure, uncounted);
                }
            });
        }
        if (bean instanceof AuthenticationManager && isReplaceable(bean.getClass())) {
            return proxy(bean, (MethodInterceptor) this::report);
        }
        return bean;
    }

    @SuppressWarnings("NullAway") // NullAway does not see that the result may be null
    private @Nullable Object report(MethodInvocation call) throws Throwable {
        return call.getMethod().getName().equals(AUTHENTICATE)
                ? LoginAttempt.make(call::proceed, uncounted)
                : call.proceed();
    }

    /** Reports the failures of a manager that is not a bean. */
    AuthenticationManager watch(AuthenticationManager manager) {
        return login -> LoginAttempt.make(() -> manager.authenticate(login), uncounted);
    }

    /**
     * A proxy cannot extend a final class, and code may inject the bean by that class. Nobody can inject by the class
     * of a lambda.
     */
    private static boolean isReplaceable(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers()) || type.isHidden() || Proxy.isProxyClass(type);
    }

    private static Object proxy(Object bean, Advice advice) {
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
        proxy.addAdvice(advice);
        return proxy.getProxy(bean.getClass().getClassLoader());
    }
}
