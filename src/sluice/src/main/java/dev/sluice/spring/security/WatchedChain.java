package dev.sluice.spring.security;

import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.ServletApiConfigurer;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestFilter;

/**
 * Reports failed logins in a security filter chain, even if the chain's authentication manager is not a bean. Spring
 * Security finds this class in {@code META-INF/spring.factories}, and applies it to each chain before the application's
 * configuration.
 */
public final class WatchedChain extends AbstractHttpConfigurer<WatchedChain, HttpSecurity> {

    WatchedChain() {}

    /**
     * Watches the manager behind {@code HttpServletRequest.login}. That manager is configured before this class is
     * applied, so it has to be replaced separately.
     */
    @Override
    @SuppressWarnings("unchecked") // the only type argument is that of HttpSecurity
    public void init(HttpSecurity http) {
        ServletApiConfigurer<HttpSecurity> api = http.getConfigurer(ServletApiConfigurer.class);
        if (api != null) {
            api.addObjectPostProcessor(new ObjectPostProcessor<SecurityContextHolderAwareRequestFilter>() {

                @Override
                public <O extends SecurityContextHolderAwareRequestFilter> O postProcess(O filter) {
                    AuthenticationManager manager = watched(http);
                    if (manager != null) {
                        filter.setAuthenticationManager(manager);
                        try {
                            filter.afterPropertiesSet(); // might have run before, with the unwatched manager
                        } catch (ServletException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    return filter;
                }
            });
        }
    }

    @Override
    public void configure(HttpSecurity http) {
        AuthenticationManager manager = watched(http);
        if (manager != null) {
            http.setSharedObject(AuthenticationManager.class, manager);
        }
    }

    private static @Nullable AuthenticationManager watched(HttpSecurity http) {
        AuthenticationManager manager = http.getSharedObject(AuthenticationManager.class);
        WatchedLogins logins = http.getSharedObject(ApplicationContext.class)
                .getBeanProvider(WatchedLogins.class)
                .getIfAvailable();
        return manager == null || logins == null ? null : logins.watch(manager);
    }
}
