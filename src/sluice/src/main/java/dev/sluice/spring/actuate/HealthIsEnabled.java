package dev.sluice.spring.actuate;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether the health indicator {@code sluice} is enabled. The equivalent conditions of Spring Boot 3 and 4 have
 * different names.
 */
final class HealthIsEnabled implements Condition {

    HealthIsEnabled() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        boolean usual = environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
        return environment.getProperty("management.health.sluice.enabled", Boolean.class, usual);
    }
}
