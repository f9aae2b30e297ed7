package dev.sluice.spring.actuate;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** What the limiter tells through the actuator, where the application has that. */
@Configuration(proxyBeanMethods = false)
@Import({HealthInSpringBoot4.class, ActuatorConfiguration.InSpringBoot3.class, EndpointConfiguration.class})
public class ActuatorConfiguration {

    ActuatorConfiguration() {}

    /** By its name, so that all else compiles where there is no Spring Boot 3. */
    static final class InSpringBoot3 implements ImportSelector {

        InSpringBoot3() {}

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {"dev.sluice.spring.actuate.HealthInSpringBoot3"};
        }
    }
}
