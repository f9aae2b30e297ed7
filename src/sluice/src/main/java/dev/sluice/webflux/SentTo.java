package dev.sluice.webflux;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.server.ServerWebExchange;

/**
 * Distinguishes the servers of an application. If the actuator has its own port, the actuator's server also uses the
 * filter beans of the main server.
 */
final class SentTo {

    private SentTo() {}

    /** Whether an exchange belongs to a server other than the one whose beans are in the given context. */
    static boolean isAnotherServer(@Nullable ApplicationContext server, ServerWebExchange exchange) {
        ApplicationContext asked = exchange.getApplicationContext();
        return server != null && asked != null && !server.equals(asked);
    }
}
