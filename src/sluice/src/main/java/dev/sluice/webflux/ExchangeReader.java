package dev.sluice.webflux;

import dev.sluice.RateLimiter;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.open.Sluice;
import java.util.Collection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;

/**
 * Reads the parts of an exchange that WebFlux provides asynchronously: the authenticated caller and the session.
 * Requests the session only if the limits in force need it. Otherwise, WebFlux would create a session for every caller
 * that does not have one. Thread-safe.
 */
final class ExchangeReader {

    private final @Nullable Sluice sluice;
    private volatile @Nullable Need need;

    /** Whether the given limits need the session. */
    private record Need(Limits limits, boolean session) {}

    ExchangeReader(RateLimiter limiter) {
        this.sluice = limiter.whole() instanceof Sluice whole ? whole : null;
    }

    Mono<ExchangeCall> read(ServerWebExchange exchange) {
        Mono<ExchangeCall> call = exchange.getPrincipal()
                .filter(principal -> !SpringSecurity.isStranger(principal))
                .map(principal -> new ExchangeCall(exchange, principal, null))
                .onErrorComplete()
                .switchIfEmpty(Mono.fromSupplier(() -> new ExchangeCall(exchange, null, null)));
        return needsSession() ? call.flatMap(known -> withSession(exchange, known)) : call;
    }

    private static Mono<ExchangeCall> withSession(ServerWebExchange exchange, ExchangeCall call) {
        return exchange.getSession()
                .filter(WebSession::isStarted)
                .map(session -> call.in(session.getId()))
                .onErrorComplete()
                .defaultIfEmpty(call);
    }

    @SuppressWarnings("ReferenceEquality") // a reload replaces the whole snapshot
    private boolean needsSession() {
        if (sluice == null) {
            return false;
        }
        Limits limits = sluice.limits();
        Need known = need;
        if (known == null || known.limits != limits) {
            known = new Need(limits, sources(limits).anyMatch(source -> isSession(source.name())));
            need = known;
        }
        return known.session;
    }

    private static Stream<SubjectSource> sources(Limits limits) {
        return Stream.concat(
                limits.subjects().values().stream().flatMap(Collection::stream),
                limits.endpoints().stream().flatMap(endpoint -> DescribedCondition.sources(endpoint.when())));
    }

    private static boolean isSession(String name) {
        return SubjectSource.plainName(name).equals("session");
    }
}
