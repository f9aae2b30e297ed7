package dev.sluice.webflux;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.server.ServerWebExchange;

/** Tells the servers of one application apart: that of the actuator, on a port of its own, finds the filters of the other. */
final class SentTo {

    private SentTo() {}

    /** Whether an exchange is of another server than the one with these beans. */
    static boolean isAnotherServer(@Nullable ApplicationContext server, ServerWebExchange exchange) {
        ApplicationContext asked = exchange.getApplicationContext();
        return server != null && asked != null && !server.equals(asked);
    }
}
