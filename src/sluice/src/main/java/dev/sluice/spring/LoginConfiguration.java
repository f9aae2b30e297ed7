package dev.sluice.spring;

import dev.sluice.open.Sluice;
import dev.sluice.spring.security.CarriedLogins;
import dev.sluice.spring.security.WatchedLogins;
import io.micrometer.context.ContextRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationEventPublisher;

/** Reports failed logins to limits with {@code count: { outcome: login-failure }}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(AuthenticationEventPublisher.class)
class LoginConfiguration {

    @Bean("dev.sluice.watchedLogins")
    static WatchedLogins watchedLogins(ObjectProvider<Sluice> limiters) {
        return new WatchedLogins(limiters);
    }

    /** Also reports failed logins on all other threads to which the application propagates its context. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ContextRegistry.class)
    static class OnOtherThreads {

        @Bean("dev.sluice.carriedLogins")
        CarriedLogins carriedLogins() {
            return CarriedLogins.register();
        }
    }
}
