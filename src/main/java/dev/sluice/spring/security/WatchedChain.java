package dev.sluice.spring.security;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;

/**
 * Reports the failed logins of one security filter chain, also if its authentication manager is no bean. Spring Security
 * finds it in {@code META-INF/spring.factories} and applies it to each chain, ahead of what the application configures.
 */
public final class WatchedChain extends AbstractHttpConfigurer<WatchedChain, HttpSecurity> {

    WatchedChain() {}

    @Override
    public void configure(HttpSecurity http) {
        AuthenticationManager manager = http.getSharedObject(AuthenticationManager.class);
        if (manager != null) {
            http.setSharedObject(
                    AuthenticationManager.class,
                    authentication -> LoginAttempt.make(() -> manager.authenticate(authentication)));
        }
    }
}
