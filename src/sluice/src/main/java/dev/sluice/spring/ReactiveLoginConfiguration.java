package dev.sluice.spring;

import dev.sluice.open.Sluice;
import dev.sluice.spring.security.WatchedReactiveLogins;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** The counterpart of {@link LoginConfiguration} for reactive applications. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ReactiveAuthenticationManager.class, ObjectPostProcessor.class, SecurityWebFilterChain.class})
class ReactiveLoginConfiguration {

    @Bean("dev.sluice.watchedReactiveLogins")
    static WatchedReactiveLogins watchedReactiveLogins(ObjectProvider<Sluice> limiters) {
        return new WatchedReactiveLogins(limiters);
    }
}
