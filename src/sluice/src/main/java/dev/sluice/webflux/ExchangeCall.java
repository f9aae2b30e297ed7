package dev.sluice.webflux;

import dev.sluice.Call;
import dev.sluice.internal.http.request.HeaderText;
import dev.sluice.internal.http.request.QueryString;
import dev.sluice.internal.http.request.TokenClaims;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Adapts a WebFlux exchange to a call. If the server cannot parse part of a malformed request, the methods return no
 * value for that part. If a method threw an exception instead, the call would pass without being limited. Immutable.
 */
final class ExchangeCall implements Call {

    private final ServerWebExchange exchange;
    private final ServerHttpRequest request;
    private final ExchangePath path;
    private final @Nullable Principal principal;
    private final @Nullable String session;

    /**
     * Wraps an exchange.
     *
     * @param principal the authenticated caller; {@code null} if the caller is not authenticated
     * @param session the identifier of the caller's session; {@code null} if there is no session
     */
    ExchangeCall(ServerWebExchange exchange, @Nullable Principal principal, @Nullable String session) {
        this.exchange = exchange;
        this.request = exchange.getRequest();
        this.path = ExchangePath.of(request);
        this.principal = principal;
        this.session = session;
    }

    /** The same call with the given session identifier. */
    ExchangeCall in(String known) {
        return new ExchangeCall(exchange, principal, known);
    }

    @Override
    public String method() {
        return request.getMethod().name();
    }

    @Override
    public String path() {
        return path.text();
    }

    @Override
    public @Nullable String otherPath() {
        return path.other();
    }

    /** Does not resolve a host name that Spring has read from a forwarding header, because the lookup could block. */
    @Override
    public String ip() {
        InetSocketAddress peer = request.getRemoteAddress();
        if (peer == null) {
            return "";
        }
        InetAddress address = peer.getAddress();
        return address == null ? peer.getHostString() : address.getHostAddress();
    }

    @Override
    public @Nullable String header(String name) {
        return orNull(() -> {
            String value = request.getHeaders().getFirst(name);
            return value == null ? null : HeaderText.of(value);
        });
    }

    @Override
    public List<String> headers(String name) {
        try {
            List<String> values = valuesOf(request.getHeaders(), name);
            return values == null
                    ? List.of()
                    : values.stream().map(HeaderText::of).toList();
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    /** In Spring Framework 6, {@code HttpHeaders} is a map whose {@code get} has a different signature. */
    @SuppressWarnings("unchecked")
    private static @Nullable List<String> valuesOf(HttpHeaders headers, String name) {
        return (Object) headers instanceof Map<?, ?> map ? (List<String>) map.get(name) : headers.get(name);
    }

    @Override
    public @Nullable String query(String name) {
        return query(name, 0);
    }

    @Override
    public int queryReadings() {
        return QueryString.readings(request.getURI().getRawQuery());
    }

    @Override
    public @Nullable String query(String name, int reading) {
        return QueryString.first(request.getURI().getRawQuery(), name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        return orNull(() -> {
            HttpCookie cookie = request.getCookies().getFirst(name);
            return cookie == null ? null : cookie.getValue();
        });
    }

    @Override
    public @Nullable String attribute(String name) {
        return orNull(() -> {
            Object value = exchange.getAttribute(name);
            return value == null ? null : String.valueOf(value);
        });
    }

    @Override
    public @Nullable String principal() {
        return orNull(() -> principal == null ? null : principal.getName());
    }

    @Override
    public @Nullable String claim(String name) {
        return orNull(() -> principal == null ? null : TokenClaims.AVAILABLE.find(principal, name));
    }

    @Override
    public @Nullable String session() {
        return session;
    }

    private static @Nullable String orNull(Supplier<@Nullable String> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return null;
        }
    }
}
