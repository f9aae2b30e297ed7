package dev.sluice.webflux;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells the servers of one application apart. If the actuator has its own port, its server also finds the filters of
 * the main one.
 */
final class SentTo {

    private SentTo() {}

    /** Whether an exchange belongs to a server other than the one with these beans. */
    static boolean isAnotherServer(@Nullable ApplicationContext server, ServerWebExchange exchange) {
        ApplicationContext asked = exchange.getApplicationContext();
        return server != null && asked != null && !server.equals(asked);
    }
}
