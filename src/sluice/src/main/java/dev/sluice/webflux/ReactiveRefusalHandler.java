package dev.sluice.webflux;

import dev.sluice.Decision;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Writes the body of the response to a refused call in a Spring WebFlux application. The response already has the
 * status, {@code Retry-After} (unless no retry can ever pass), {@code Cache-Control: no-store} and the limit's headers.
 *
 * <pre>{@code
 * ReactiveRefusalHandler text = (exchange, decision) -> {
 *     ServerHttpResponse response = exchange.getResponse();
 *     byte[] body = "Too many requests. Try again in a minute.".getBytes(UTF_8);
 *     return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
 * };
 * }</pre>
 *
 * <p>Implementations must be thread-safe and must not block. Arguments are never {@code null}.
 */
@FunctionalInterface
public interface ReactiveRefusalHandler {

    /**
     * Completes the response to a refused call. If this method fails before the response is committed, the filter logs
     * the failure and sends a problem document (RFC 9457) instead.
     *
     * @param decision why the call was refused
     */
    Mono<Void> refuse(ServerWebExchange exchange, Decision decision);
}
