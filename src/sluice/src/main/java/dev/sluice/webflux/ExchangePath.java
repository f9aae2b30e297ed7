package dev.sluice.webflux;

import dev.sluice.internal.http.request.PathTraversal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * The path of a request within the application. The path is exactly as the caller sent it, except that the base path
 * ({@code spring.webflux.base-path}) is removed. WebFlux does not resolve {@code ..}, but a server behind a gateway
 * might. A path that leads out of the base path therefore has two readings, that is, interpretations.
 *
 * @param text the path
 * @param other the second reading; nearly always {@code null}
 */
record ExchangePath(String text, @Nullable String other) {

    static ExchangePath of(ServerHttpRequest request) {
        RequestPath sent = request.getPath();
        String context = sent.contextPath().value();
        String within = sent.pathWithinApplication().value();
        if (context.isEmpty() || context.equals("/") || !PathTraversal.mayLeave(within)) {
            return new ExchangePath(within.isEmpty() ? "/" : within, null);
        }
        return new ExchangePath(PathTraversal.behind(context, sent.value()), within);
    }
}
