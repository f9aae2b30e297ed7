package dev.sluice.spring.actuate;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Tests whether the {@code sluice} health indicator is enabled. We do not use Spring Boot's own conditions, because
 * they have different names in versions 3 and 4.
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
