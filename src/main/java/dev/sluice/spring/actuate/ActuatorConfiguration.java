package dev.sluice.spring.actuate;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the limiter tells through the actuator, where the application has that. */
@Configuration(proxyBeanMethods = false)
@Import({HealthInSpringBoot4.class, HealthInSpringBoot3.class, EndpointConfiguration.class})
public class ActuatorConfiguration {

    ActuatorConfiguration() {}
}
