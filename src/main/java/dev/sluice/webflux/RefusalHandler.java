package dev.sluice.webflux;

import dev.sluice.Decision;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Writes the body of a refusal in an application of Spring WebFlux. The response already has the status, {@code Retry-After}
 * (unless no retry ever passes), {@code Cache-Control} and the limit's headers. Called by many threads, on which it must not
 * wait.
 */
@FunctionalInterface
public interface RefusalHandler {

    /**
     * Completes the response to a refused call. If it fails before the answer has begun, that is logged, and a problem document
     * (RFC 9457) answers instead.
     */
    Mono<Void> refuse(ServerWebExchange exchange, Decision decision);
}
