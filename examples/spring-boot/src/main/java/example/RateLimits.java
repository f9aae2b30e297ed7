package example;

import dev.sluice.config.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Puts the limits in front of all controllers. */
@Configuration(proxyBeanMethods = false)
class RateLimits {

    /** The limiter; the context closes it when it closes itself. */
    @Bean
    Sluice sluice(@Value("${rate-limits:classpath:rate-limits.yml}") String location) {
        return Sluice.open(location);
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimitFilter(Sluice sluice) {
        FilterRegistrationBean<RateLimitFilter> filter = new FilterRegistrationBean<>(new RateLimitFilter(sluice));
        filter.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 10); // before anything that costs much
        return filter;
    }
}
