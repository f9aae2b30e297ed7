package dev.sluice.spring;

import dev.sluice.spring.security.WatchedLogins;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationEventPublisher;

/** Reports failed logins to limits with {@code count: { outcome: login-failure }}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(AuthenticationEventPublisher.class)
class LoginConfiguration {

    @Bean("dev.sluice.watchedLogins")
    static WatchedLogins watchedLogins() {
        return new WatchedLogins();
    }
}
