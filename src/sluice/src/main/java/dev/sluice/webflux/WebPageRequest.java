package dev.sluice.webflux;

import dev.sluice.internal.page.PageRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * A request for the page in a WebFlux application.
 *
 * @param form the form parameters
 */
record WebPageRequest(
        ServerWebExchange exchange,
        String mappedTo,
        String below,
        boolean mayChange,
        String user,
        Map<String, String> form,
        @Nullable CsrfToken csrf)
        implements PageRequest {

    WebPageRequest withForm(Map<String, String> parameters) {
        return new WebPageRequest(exchange, mappedTo, below, mayChange, user, parameters, csrf);
    }

    WebPageRequest withCsrf(CsrfToken token) {
        return new WebPageRequest(exchange, mappedTo, below, mayChange, user, form, token);
    }

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
        String inForm = form.get(name);
        return inForm == null ? exchange.getRequest().getQueryParams().getFirst(name) : inForm;
    }

    @Override
    public String serverName() {
        String host = exchange.getRequest().getURI().getHost();
        return host == null ? "" : host;
    }

    @Override
    public int serverPort() {
        return exchange.getRequest().getURI().getPort();
    }
}
