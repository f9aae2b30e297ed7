package dev.sluice.webflux;

import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.ContextView;

/**
 * What surrounds the decision of an exchange, for example its trace. Called on each thread that decides, and must not wait
 * there.
 */
@FunctionalInterface
public interface DecisionScope {

    /** Nothing. */
    DecisionScope NONE = (exchange, context) -> () -> {};

    /**
     * Begins it on this thread.
     *
     * @param context what Reactor knows of the exchange
     * @return ends it on this thread
     */
    End begin(ServerWebExchange exchange, ContextView context);

    /** The end of a scope. */
    @FunctionalInterface
    interface End extends AutoCloseable {
        @Override
        void close();
    }
}
