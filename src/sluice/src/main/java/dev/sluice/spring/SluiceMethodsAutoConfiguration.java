package dev.sluice.spring;

import dev.sluice.open.Sluice;
import dev.sluice.spring.method.MethodConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Auto-configures method limits in any application with Spring Boot 3.5 or 4. This class also creates the limiter in an
 * application without a web server, such as a batch job.
 */
@AutoConfiguration(
        after = {SluiceAutoConfiguration.class, SluiceWebFluxAutoConfiguration.class},
        afterName = {
            // Spring Boot 4
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass(Sluice.class)
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SluiceProperties.class)
@Import({MetersConfiguration.class, LimiterConfiguration.class, MethodConfiguration.class})
public final class SluiceMethodsAutoConfiguration {

    SluiceMethodsAutoConfiguration() {}
}
