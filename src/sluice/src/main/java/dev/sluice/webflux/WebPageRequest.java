package dev.sluice.webflux;

import dev.sluice.internal.page.PageRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/** A request for the page, in WebFlux. */
record WebPageRequest(ServerWebExchange exchange, String mappedTo, String below) implements PageRequest {

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public @Nullable String header(String name) {
        return exchange.getRequest().getHeaders().getFirst(name);
    }

    @Override
    public @Nullable String parameter(String name) {
        return exchange.getRequest().getQueryParams().getFirst(name);
    }
}
