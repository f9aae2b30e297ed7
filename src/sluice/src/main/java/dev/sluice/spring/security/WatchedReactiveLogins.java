package dev.sluice.spring.security;

import dev.sluice.open.Sluice;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Reports failed logins in a reactive application, as {@link WatchedLogins} does for servlets. Wraps authentication
 * managers that are beans, the manager that Spring Security creates from a {@code ReactiveUserDetailsService}, and the
 * managers in the filters of a chain. At startup, logs a warning about filters whose managers cannot be found.
 */
public final class WatchedReactiveLogins implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

    /** The name of the bean that receives the manager created by Spring Security. */
    private static final String POST_PROCESSOR = "reactiveAuthenticationManagerPostProcessor";

    private static final Logger LOG = LoggerFactory.getLogger(WatchedReactiveLogins.class);

    private final UncountedLogins uncounted;
    private final WatchedBeans watched;
    private final WatchedWebFilters filters = new WatchedWebFilters(this::watch);

    /**
     * Creates an object that reports failed logins.
     *
     * @param limiters the limiters to report to; looked up when they are needed
     */
    public WatchedReactiveLogins(ObjectProvider<Sluice> limiters) {
        this.uncounted = UncountedLogins.inReactor(limiters::stream);
        this.watched = new WatchedBeans(uncounted, ReactiveAuthenticationManager.class);
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        watched.lookIn(factory);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ReactiveAuthenticationManager) {
            return watched.watch(bean, beanName, (MethodInterceptor) this::report);
        }
        if (bean instanceof SecurityWebFilterChain chain) {
            return filters.watched(chain, beanName);
        }
        return beanName.equals(POST_PROCESSOR) && bean instanceof ObjectPostProcessor<?>
                ? watched.proxyIfPossible(bean, beanName, (MethodInterceptor) this::postProcess)
                : bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        watched.started();
        Set<String> unwatched = filters.unwatched();
        List<String> endpoints = unwatched.isEmpty() ? List.of() : uncounted.endpoints();
        if (!endpoints.isEmpty()) {
            LOG.warn(
                    "The limits {} count failed logins, but cannot watch these filters: {}. Logins in these filters"
                            + " need a permit, and count if they fail, only if the ReactiveAuthenticationManager is a"
                            + " bean. If it is not, declare it as a bean, or call"
                            + " ReactiveRateLimit.loginFailed(exchange) when a login fails",
                    String.join(", ", endpoints),
                    String.join(", ", unwatched));
        }
    }

    private @Nullable Object report(MethodInvocation call) throws Throwable {
        if (!call.getMethod().getName().equals(WatchedBeans.AUTHENTICATE)) {
            return call.proceed();
        }
        Authentication login = call.getArguments()[0] instanceof Authentication known ? known : null;
        ProxyMethodInvocation original = (ProxyMethodInvocation) call;
        return ReactiveLoginAttempt.make(login, () -> proceed(original.invocableClone()), uncounted);
    }

    @SuppressWarnings("unchecked")
    private static Mono<Authentication> proceed(MethodInvocation call) {
        try {
            return Objects.requireNonNullElse((Mono<Authentication>) call.proceed(), Mono.empty());
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        }
    }

    private @Nullable Object postProcess(MethodInvocation call) throws Throwable {
        return call.proceed() instanceof ReactiveAuthenticationManager manager ? watch(manager) : null;
    }

    private ReactiveAuthenticationManager watch(ReactiveAuthenticationManager manager) {
        return login -> ReactiveLoginAttempt.make(login, () -> manager.authenticate(login), uncounted);
    }
}
