package dev.sluice.spring;

import dev.sluice.metrics.ObservedCalls;
import dev.sluice.spring.start.OnlyBean;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds keys to the application's observations of refused and pending calls, unless the application has its own {@link
 * ObservedCalls}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
class ObservationConfiguration {

    @Bean("dev.sluice.observedCalls")
    @ConditionalOnMissingBean
    ObservedCalls observedCalls(ListableBeanFactory beans) {
        return new ObservedCalls(Objects.requireNonNull(OnlyBean.find(beans, ObservationRegistry.class)));
    }
}
