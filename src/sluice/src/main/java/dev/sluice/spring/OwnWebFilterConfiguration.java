package dev.sluice.spring;

import dev.sluice.open.Sluice;
import dev.sluice.webflux.RateLimitWebFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The counterpart of {@link OwnFilterConfiguration} for reactive applications. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RateLimitWebFilter.class)
@ConditionalOnProperty(name = "sluice.filter.enabled", matchIfMissing = true)
class OwnWebFilterConfiguration {

    @Bean("dev.sluice.idleLimiter")
    @Lazy(false)
    @ConditionalOnBean(name = "dev.sluice.internal.limiter")
    IdleLimiter idleLimiter(
            @Qualifier("dev.sluice.internal.limiter") Sluice limiter, ObjectProvider<RateLimitWebFilter> filters) {
        return new IdleLimiter(
                limiter,
                "RateLimitWebFilter",
                () -> filters.stream()
                        .map(filter -> filter.limiter().whole())
                        .filter(Sluice.class::isInstance)
                        .map(Sluice.class::cast)
                        .toList());
    }
}
