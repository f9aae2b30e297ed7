package dev.sluice.spring;

import dev.sluice.open.Sluice;
import dev.sluice.spring.actuate.ActuatorConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Auto-configures the limits of a reactive application (WebFlux or Spring Cloud Gateway) with Spring Boot 3.5 or 4. Its
 * filter differs from that in {@link SluiceAutoConfiguration}.
 */
@AutoConfiguration(
        afterName = {
            // Spring Boot 4
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(Sluice.class)
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SluiceProperties.class)
@Import({
    MetersConfiguration.class,
    ObservationConfiguration.class,
    WebObservationConfiguration.class,
    LimiterConfiguration.class,
    ReactiveLoginConfiguration.class,
    OwnWebFilterConfiguration.class,
    WebFilterConfiguration.class,
    ActuatorConfiguration.class
})
public final class SluiceWebFluxAutoConfiguration {

    SluiceWebFluxAutoConfiguration() {}
}
