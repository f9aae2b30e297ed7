package dev.sluice.spring.actuate;

import dev.sluice.open.Sluice;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Adds the {@code sluice} health indicator in Spring Boot 3. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Sluice.class)
@Conditional(HealthIsEnabled.class)
class HealthInSpringBoot3 {

    @Bean
    @ConditionalOnMissingBean(name = "sluiceHealthIndicator")
    HealthIndicator sluiceHealthIndicator(Sluice sluice, Environment environment) {
        StoreUnavailableStatus storeUnavailable = StoreUnavailableStatus.of(environment);
        return () -> {
            LimiterHealth health = LimiterHealth.of(sluice, storeUnavailable);
            return Health.status(health.status()).withDetails(health.details()).build();
        };
    }
}
