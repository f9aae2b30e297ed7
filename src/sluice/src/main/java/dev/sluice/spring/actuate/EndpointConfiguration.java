package dev.sluice.spring.actuate;

import dev.sluice.open.Sluice;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds the {@code ratelimits} endpoint if it is exposed. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Sluice.class)
class EndpointConfiguration {

    @Bean("dev.sluice.endpoint")
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class)
    RateLimitsEndpoint endpoint(Sluice sluice) {
        return new RateLimitsEndpoint(sluice);
    }

    @Bean("dev.sluice.endpoint.parameters")
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class)
    OperationInvokerAdvisor parameters() {
        return new UnknownParameters();
    }
}
