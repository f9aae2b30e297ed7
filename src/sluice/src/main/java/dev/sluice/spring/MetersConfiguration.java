package dev.sluice.spring;

import dev.sluice.metrics.SluiceMeters;
import dev.sluice.spring.start.OnlyBean;
import dev.sluice.spring.start.StartFailure;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds meters to the application's registry, unless the application has its own {@link SluiceMeters}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
class MetersConfiguration {

    @Bean("dev.sluice.meters")
    @ConditionalOnMissingBean
    SluiceMeters meters(ListableBeanFactory beans, SluiceProperties properties) {
        MeterRegistry registry = Objects.requireNonNull(OnlyBean.find(beans, MeterRegistry.class));
        try {
            return new SluiceMeters(registry, properties.metrics().clients());
        } catch (IllegalArgumentException e) {
            throw new StartFailure("sluice.metrics." + e.getMessage() + '.', "Correct the number.", e);
        }
    }
}
