package dev.sluice.webflux;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.server.ServerWebExchange;

/**
 * Distinguishes between an application's servers. If the actuator has its own port, the actuator's server also uses the
 * main server's filter beans.
 */
final class SentTo {

    private SentTo() {}

    /** Whether an exchange belongs to a different server than the one whose beans are in the given context. */
    static boolean isAnotherServer(@Nullable ApplicationContext server, ServerWebExchange exchange) {
        ApplicationContext asked = exchange.getApplicationContext();
        return server != null && asked != null && !server.equals(asked);
    }
}
