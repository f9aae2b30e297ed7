package dev.sluice.spring;

import dev.sluice.webflux.DecisionScope;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.ContextView;

/**
 * Makes a request's observation current on the thread that decides the request. Otherwise, {@code ObservedCalls} would
 * not find the observation, because event loops do not have a current one.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
class WebObservationConfiguration {

    @Bean("dev.sluice.observedDecision")
    @ConditionalOnMissingBean
    DecisionScope observedDecision() {
        return (exchange, context) -> {
            Observation request = ofRequest(exchange, context);
            return request == null ? () -> {} : request.openScope()::close;
        };
    }

    /**
     * The observation of the request or, if it is not found, the innermost observation. The two differ because Spring
     * Security nests its own observations inside the request's observation.
     */
    private static @Nullable Observation ofRequest(ServerWebExchange exchange, ContextView context) {
        Observation nearest = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
        Observation.Context request = ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                .orElse(null);
        Observation above = nearest;
        while (above != null && above.getContext() != request) {
            above = above.getContext().getParentObservation() instanceof Observation parent ? parent : null;
        }
        return above == null ? nearest : above;
    }
}
