package dev.sluice.spring.security;

import dev.sluice.open.Sluice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * Reports failed logins, such as wrong passwords in forms or with Basic, invalid tokens, and refusals by an OAuth2
 * provider. Wraps authentication managers, because an application's own manager might not publish events. Also wraps
 * Spring Security's event publisher, because a login can involve a manager that is not a bean.
 */
public final class WatchedLogins implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

    private static final String SUCCESS = "publishAuthenticationSuccess";
    private static final String FAILURE = "publishAuthenticationFailure";

    private final UncountedLogins uncounted;
    private final WatchedBeans watched;

    /**
     * Creates an object that reports failed logins.
     *
     * @param limiters the limiters to report to; looked up when they are needed
     */
    public WatchedLogins(ObjectProvider<Sluice> limiters) {
        this.uncounted = UncountedLogins.onThreads(limiters::stream);
        this.watched = new WatchedBeans(uncounted, AuthenticationManager.class);
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        watched.lookIn(factory);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AuthenticationEventPublisher) {
            return watched.proxyIfPossible(bean, beanName, (MethodBeforeAdvice) (method, arguments, target) -> {
                if (method.getName().equals(SUCCESS)) {
                    LoginAttempt.succeeded();
                } else if (method.getName().equals(FAILURE)
                        && arguments[0] instanceof AuthenticationException failure) {
                    LoginAttempt.failed(failure, uncounted);
                }
            });
        }
        return bean instanceof AuthenticationManager
                ? watched.watch(bean, beanName, (MethodInterceptor) this::report)
                : bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        watched.started();
    }

    @SuppressWarnings("NullAway") // NullAway does not see that the result can be null
    private @Nullable Object report(MethodInvocation call) throws Throwable {
        return call.getMethod().getName().equals(WatchedBeans.AUTHENTICATE)
                ? LoginAttempt.make(
                        call.getArguments()[0] instanceof Authentication login ? login : null, call::proceed, uncounted)
                : call.proceed();
    }

    /** Reports the failures of a manager that is not a bean. */
    AuthenticationManager watch(AuthenticationManager manager) {
        return login -> LoginAttempt.make(login, () -> manager.authenticate(login), uncounted);
    }
}
