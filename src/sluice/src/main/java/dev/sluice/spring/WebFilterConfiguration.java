package dev.sluice.spring;

import dev.sluice.Phase;
import dev.sluice.RateLimiter;
import dev.sluice.open.Sluice;
import dev.sluice.spring.start.OnlyBean;
import dev.sluice.webflux.DecisionScope;
import dev.sluice.webflux.RateLimitWebFilter;
import dev.sluice.webflux.ReactiveRefusalHandler;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Registers the filter of a reactive application, unless the application registers its own. If the application uses
 * Spring Security, registers one filter in front of it and a second one behind it, so that each endpoint is applied
 * where its caller is known.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(Sluice.class)
@ConditionalOnMissingBean(RateLimitWebFilter.class)
@ConditionalOnProperty(name = "sluice.filter.enabled", matchIfMissing = true)
class WebFilterConfiguration {

    private static final String SECURITY =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    /** The order of Spring Security's filter. No property can change this order. */
    private static final int SECURITY_ORDER = -100;

    private static RateLimitWebFilter filter(RateLimiter limiter, int order, ListableBeanFactory beans) {
        DecisionScope scope = OnlyBean.find(beans, DecisionScope.class);
        return new RateLimitWebFilter(limiter, OnlyBean.find(beans, ReactiveRefusalHandler.class), order)
                .within(scope == null ? DecisionScope.NONE : scope);
    }

    private static int order(SluiceProperties properties) {
        Integer order = properties.filter().order();
        return order != null ? order : SECURITY_ORDER - 1;
    }

    /** Registers one filter for all endpoints if there is no Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(name = SECURITY)
    static class Alone {

        @Bean("dev.sluice.filter")
        RateLimitWebFilter filter(Sluice sluice, SluiceProperties properties, ListableBeanFactory beans) {
            return WebFilterConfiguration.filter(sluice, order(properties), beans);
        }
    }

    /** Registers one filter in front of Spring Security and one behind it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(name = SECURITY)
    static class AroundSecurity {

        @Bean("dev.sluice.filter")
        RateLimitWebFilter before(Sluice sluice, SluiceProperties properties, ListableBeanFactory beans) {
            return filter(sluice.in(Phase.BEFORE_AUTHENTICATION), order(properties), beans);
        }

        @Bean("dev.sluice.filterAfterAuthentication")
        RateLimitWebFilter after(Sluice sluice, ListableBeanFactory beans) {
            return filter(sluice.in(Phase.AFTER_AUTHENTICATION), SECURITY_ORDER + 1, beans);
        }
    }
}
