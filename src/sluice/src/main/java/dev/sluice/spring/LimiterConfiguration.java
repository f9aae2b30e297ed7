package dev.sluice.spring;

import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import dev.sluice.spring.start.StartFailure;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Creates the limiter, unless the application has its own. If there are no limits, creates a bean that logs a warning
 * instead. Both beans are created eagerly even if the application makes all beans lazy, so that mistakes are reported
 * at startup. With ahead-of-time processing, the choice between the two beans is made at build time. At run time, the
 * bean checks that the choice is still correct.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Sluice.class)
class LimiterConfiguration {

    @Bean(name = "dev.sluice.internal.limiter", destroyMethod = "close")
    @Lazy(false)
    @Conditional(LimitsAreFound.class)
    Sluice limiter(Environment environment, SluiceProperties properties, ListableBeanFactory beans) {
        return new LimiterOpener(environment, properties, beans).open();
    }

    @Bean("dev.sluice.withoutLimits")
    @Lazy(false)
    @ConditionalOnMissingBean(name = "dev.sluice.internal.limiter")
    WithoutLimits withoutLimits(Environment environment) {
        UnknownProperties.refuse(environment);
        ConfigSource tooLate = LimitsLocation.find(environment);
        if (tooLate != null) {
            throw new StartFailure(
                    "The limits in " + tooLate.name()
                            + " cannot be enforced: this application was processed ahead of time " + "without limits.",
                    "Build the application with limits, such as a rate-limits.yml on its class path; different limits "
                            + "can replace them at run time. To run without limits, remove them here.",
                    null);
        }
        LoggerFactory.getLogger(LimiterConfiguration.class)
                .warn(
                        "No limits are in force, because none were found: {}. Write a file, or set"
                                + " sluice.enabled=false.",
                        LimitsLocation.nothingFound());
        return new WithoutLimits();
    }

    /** The bean that replaces the limiter if there are no limits. */
    record WithoutLimits() {}

    /** Tests whether the application has limits. */
    static final class LimitsAreFound extends SpringBootCondition implements ConfigurationCondition {

        LimitsAreFound() {}

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder limits = ConditionMessage.forCondition("limits");
            var beans = context.getBeanFactory();
            if (beans != null && beans.getBeanNamesForType(ConfigSource.class).length > 0) {
                return ConditionOutcome.match(limits.because("the application has a ConfigSource"));
            }
            ConfigSource found = LimitsLocation.find(context.getEnvironment());
            return found == null
                    ? ConditionOutcome.noMatch(limits.didNotFind("any of").items(LimitsLocation.PLACES))
                    : ConditionOutcome.match(limits.foundExactly(found.name()));
        }
    }
}
