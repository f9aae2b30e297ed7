package dev.sluice.spring;

import dev.sluice.config.Sluice;
import dev.sluice.limits.ConfigSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * Warns that the limits of a reactive application are not in force, since there is no servlet filter in WebFlux. One that
 * has its own {@link Sluice} is taken to ask it.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(Sluice.class)
@Conditional(LimiterConfiguration.LimitsAreFound.class)
public final class SluiceWebFluxAutoConfiguration {

    SluiceWebFluxAutoConfiguration(Environment environment) {
        ConfigSource limits = LimitsLocation.find(environment);
        LoggerFactory.getLogger(SluiceWebFluxAutoConfiguration.class)
                .warn(
                        "The limits of {} are not in force, and no call is counted or refused: they need servlets, and this "
                                + "application is reactive (WebFlux). Serve it by Spring MVC instead, limit calls in front "
                                + "of it, or ask a Sluice of your own, as a bean. With sluice.enabled=false nothing is said",
                        limits == null ? "the ConfigSource" : limits.name());
    }
}
