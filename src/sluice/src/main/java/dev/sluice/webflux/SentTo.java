package dev.sluice.webflux;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.server.ServerWebExchange;

/**
 * Distinguishes the servers of an application. If the actuator has its own port, its server also finds the filters of
 * the main server.
 */
final class SentTo {

    private SentTo() {}

    /** Whether an exchange belongs to a different server from the one with these beans. */
    static boolean isAnotherServer(@Nullable ApplicationContext server, ServerWebExchange exchange) {
        ApplicationContext asked = exchange.getApplicationContext();
        return server != null && asked != null && !server.equals(asked);
    }
}
