package dev.sluice.spring;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Checks that a filter registered by the application uses the auto-configured limiter. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = RateLimitFilter.class, parameterizedContainer = FilterRegistrationBean.class)
@ConditionalOnProperty(name = "sluice.filter.enabled", matchIfMissing = true)
class OwnFilterConfiguration {

    @Bean("dev.sluice.idleLimiter")
    @Lazy(false)
    @ConditionalOnBean(name = "dev.sluice.internal.limiter")
    IdleLimiter idleLimiter(@Qualifier("dev.sluice.internal.limiter") Sluice limiter, ServletContext context) {
        return new IdleLimiter(limiter, "RateLimitFilter", () -> published(context));
    }

    /** The limiters that the filters published when they started. */
    private static List<Sluice> published(ServletContext context) {
        return Collections.list(context.getAttributeNames()).stream()
                .map(context::getAttribute)
                .filter(Sluice.class::isInstance)
                .map(Sluice.class::cast)
                .toList();
    }
}
