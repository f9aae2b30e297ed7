package dev.sluice.spring.security;

import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;

/**
 * Reports the failed logins of one security filter chain, even if its authentication manager is not a bean. Spring
 * Security finds this class in {@code META-INF/spring.factories} and applies it to each chain before the application's
 * configuration.
 */
public final class WatchedChain extends AbstractHttpConfigurer<WatchedChain, HttpSecurity> {

    WatchedChain() {}

    @Override
    public void configure(HttpSecurity http) {
        AuthenticationManager manager = http.getSharedObject(AuthenticationManager.class);
        WatchedLogins logins = http.getSharedObject(ApplicationContext.class)
                .getBeanProvider(WatchedLogins.class)
                .getIfAvailable();
        if (manager != null && logins != null) {
            http.setSharedObject(AuthenticationManager.class, logins.watch(manager));
        }
    }
}
