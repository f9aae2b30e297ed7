package dev.sluice.spring.actuate;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Adds the limiter's health indicator, endpoint and page if the application has the actuator. */
@Configuration(proxyBeanMethods = false)
@Import({HealthInSpringBoot4.class, ActuatorConfiguration.InSpringBoot3.class, EndpointConfiguration.class})
public class ActuatorConfiguration {

    ActuatorConfiguration() {}

    /** Refers to the configuration by name, so that this class compiles without Spring Boot 3. */
    static final class InSpringBoot3 implements ImportSelector {

        InSpringBoot3() {}

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {"dev.sluice.spring.actuate.HealthInSpringBoot3"};
        }
    }
}
