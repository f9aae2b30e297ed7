package dev.sluice.webflux;

import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.ContextView;

/**
 * Opens a scope around each decision of a {@link RateLimitWebFilter}, for example to make the trace of the exchange
 * current. Every thread that makes a decision opens a scope, so implementations must be thread-safe and must not block.
 *
 * <pre>{@code
 * filter.within((exchange, context) -> {
 *     Observation.Scope scope = observationOf(exchange).openScope();
 *     return scope::close;
 * });
 * }</pre>
 */
@FunctionalInterface
public interface DecisionScope {

    /** Opens no scope. */
    DecisionScope NONE = (exchange, context) -> () -> {};

    /**
     * Opens the scope on the current thread.
     *
     * @param exchange the exchange that is about to be decided, never {@code null}
     * @param context the Reactor context of the exchange, never {@code null}
     * @return the object that closes the scope on the same thread, never {@code null}
     */
    End begin(ServerWebExchange exchange, ContextView context);

    /** Closes a scope. */
    @FunctionalInterface
    interface End extends AutoCloseable {
        @Override
        void close();
    }
}
