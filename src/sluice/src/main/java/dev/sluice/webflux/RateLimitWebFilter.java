package dev.sluice.webflux;

import dev.sluice.Call;
import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import dev.sluice.Phase;
import dev.sluice.RateLimitedException;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.http.request.PageCredentials;
import dev.sluice.internal.http.response.HeaderFields;
import dev.sluice.internal.http.response.LimitFields;
import dev.sluice.internal.http.response.Refusal;
import dev.sluice.internal.http.response.RefusalContent;
import dev.sluice.internal.http.response.RefusalFinder;
import dev.sluice.open.Sluice;
import dev.sluice.webflux.ExchangeInFlight.Decided;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Limits the exchanges of a Spring WebFlux application without blocking a thread. For each exchange, the filter
 * consults a {@link RateLimiter}. An admitted exchange continues, and its response has headers that show how many
 * requests remain. For a refused exchange, the filter writes the response. By default, this is status 429 with a
 * problem document that states when to retry. If the caller disconnects while the decision is pending, the filter
 * cancels the decision. If the limiter itself fails, the filter logs an error and lets the exchange pass.
 *
 * <p>The Spring Boot starter registers this filter automatically. Without the starter, declare it as a bean:
 *
 * <pre>{@code
 * @Bean
 * RateLimitWebFilter rateLimits(Sluice limiter) {
 *     return new RateLimitWebFilter(limiter, null, Ordered.HIGHEST_PRECEDENCE);
 * }
 * }</pre>
 *
 * <p>As a bean, the filter also decorates the handler of the whole server, because only that handler sees how an
 * exchange ends. If an exchange fails, its response status is determined outside all filters.
 *
 * <p>Thread-safe once configured.
 */
public final class RateLimitWebFilter
        implements WebFilter, HttpHandlerDecoratorFactory, ApplicationContextAware, Ordered {

    private static final String FAILED = "The rate limiter failed; such requests pass unlimited.";

    /** Resumes exchanges after they have waited. This executor's threads must not block either. */
    private static final Executor AFTER_WAIT = work -> Schedulers.parallel().schedule(work);

    private static final HeaderFields<ServerHttpResponse> FIELDS = new HeaderFields<>() {

        @Override
        public boolean areSent(ServerHttpResponse response) {
            return response.isCommitted();
        }

        @Override
        public @Nullable String get(ServerHttpResponse response, String name) {
            return response.getHeaders().getFirst(name);
        }

        @Override
        public void set(ServerHttpResponse response, String name, String value) {
            response.getHeaders().set(name, value);
        }
    };

    /** The session attribute in which Spring Security stores the user. */
    private static final String USER_OF_SESSION = "SPRING_SECURITY_CONTEXT";

    private final RateLimiter limiter;
    private final @Nullable ReactiveRefusalHandler refusals;
    private final int order;
    private final InstantSource clock;
    private final ExchangeReader reader;
    private @Nullable ApplicationContext server;
    private List<SluiceWebPage> pages = List.of();
    private DecisionScope scope = DecisionScope.NONE;
    private final PageCredentials pageCredentials = new PageCredentials();
    private final LimitFields<ServerHttpResponse> headers = new LimitFields<>(FIELDS);
    private final FaultLog faults = new FaultLog(LoggerFactory.getLogger(RateLimitWebFilter.class), Level.ERROR);

    /**
     * Creates a filter for a limiter. The application closes the limiter.
     *
     * @param limiter the limiter, not {@code null}; usually a {@link Sluice} or one of its phases
     * @param refusals writes refusals; {@code null} to use the template in the file or, if the file has none, a problem
     *     document (RFC 9457)
     * @param order the order of this filter among the filters
     */
    public RateLimitWebFilter(RateLimiter limiter, @Nullable ReactiveRefusalHandler refusals, int order) {
        this(limiter, refusals, order, limiter.clock());
    }

    RateLimitWebFilter(RateLimiter limiter, @Nullable ReactiveRefusalHandler refusals, int order, InstantSource clock) {
        this.limiter = limiter;
        this.refusals = refusals;
        this.order = order;
        this.clock = clock;
        this.reader = new ExchangeReader(limiter);
        var unused = CallerSubjects.fingerprint(
                "", List.of()); // the first fingerprint blocks, because it reads a random number from a file
    }

    /**
     * Sets the scope in which the filter makes each decision. Call this method before the filter handles requests.
     *
     * @return this filter
     */
    public RateLimitWebFilter within(DecisionScope surrounding) {
        scope = surrounding;
        return this;
    }

    /** The limiter of this filter. */
    public RateLimiter limiter() {
        return limiter;
    }

    @Override
    public void setApplicationContext(ApplicationContext application) {
        server = application;
        pages = application.getBeanProvider(SluiceWebPage.class).stream().toList();
    }

    /** Whether a page for operators will handle the exchange, regardless of the behaviour of other filters. */
    private boolean isForPage(ServerWebExchange exchange) {
        for (SluiceWebPage page : pages) {
            if (page.claims(exchange)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) -> Mono.deferContextual(context -> {
            if (context.hasKey(ExchangeInFlight.class)) {
                return handler.handle(request, response);
            }
            ExchangeInFlight inFlight = new ExchangeInFlight(faults);
            return handler.handle(request, new WatchedAnswer(response, inFlight))
                    .doFinally(signal -> inFlight.end(WatchedAnswer.statusAt(signal, response, null)))
                    .contextWrite(inFlight::in);
        });
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (SentTo.isAnotherServer(server, exchange)) {
            return chain.filter(exchange);
        }
        if (!isForPage(exchange)) {
            return limit(exchange, chain);
        }
        String method = exchange.getRequest().getMethod().name();
        String credentials = exchange.getRequest().getHeaders().getFirst(PageCredentials.HEADER);
        boolean isAuthenticated = limiter.phase() == Phase.AFTER_AUTHENTICATION;
        if (isAuthenticated || pageCredentials.needNoLimit(credentials)) {
            return chain.filter(exchange);
        }
        return hasSessionOfUser(exchange).flatMap(isKnown -> {
            if (!isKnown) {
                ServerHttpResponse response = exchange.getResponse();
                response.beforeCommit(() -> Mono.fromRunnable(
                        () -> { // must happen before the operator can send the next request
                            HttpStatusCode status = response.getStatusCode();
                            pageCredentials.rememberIfAccepted(
                                    method, credentials, status == null ? 0 : status.value());
                        }));
            }
            return limit(exchange, chain);
        });
    }

    /**
     * Whether a session could authenticate the request. If so, the {@code Authorization} header might never be checked.
     */
    private static Mono<Boolean> hasSessionOfUser(ServerWebExchange exchange) {
        return exchange.getRequest().getCookies().isEmpty()
                ? Mono.just(false)
                : exchange.getSession()
                        .map(session -> session.getAttributes().containsKey(USER_OF_SESSION))
                        .defaultIfEmpty(false)
                        .onErrorReturn(true);
    }

    private Mono<Void> limit(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.deferContextual(context -> {
            ExchangeInFlight known = ExchangeInFlight.of(exchange);
            if (known == null) {
                known = context.<ExchangeInFlight>getOrDefault(ExchangeInFlight.class, null);
            }
            if (known == null) {
                return endingItself(exchange, chain, context);
            }
            return known.hasAsked(limiter) ? chain.filter(exchange) : ask(exchange, chain, context, known);
        });
    }

    /**
     * Runs the chain, and ends the exchange when the chain ends. This method is used if the server's handler is not
     * decorated.
     */
    private Mono<Void> endingItself(ServerWebExchange exchange, WebFilterChain chain, ContextView context) {
        ExchangeInFlight inFlight = new ExchangeInFlight(faults);
        return ask(exchange, chain, context, inFlight)
                .doOnError(fault ->
                        inFlight.end(WatchedAnswer.statusAt(SignalType.ON_ERROR, exchange.getResponse(), fault)))
                .doFinally(signal -> inFlight.end(WatchedAnswer.statusAt(signal, exchange.getResponse(), null)))
                .contextWrite(inFlight::in);
    }

    private Mono<Void> ask(
            ServerWebExchange exchange, WebFilterChain chain, ContextView context, ExchangeInFlight inFlight) {
        inFlight.keepIn(exchange);
        return Mono.defer(() -> reader.read(exchange))
                .doOnNext(call -> {
                    if (limiter.phase() == Phase.AFTER_AUTHENTICATION && call.principal() != null) {
                        ExchangeInFlight.loginEnded(exchange, false);
                    }
                })
                .flatMap(call -> decide(call, () -> scope.begin(exchange, context), inFlight))
                .onErrorResume(fault -> Mono.just(passing(fault)))
                .flatMap(decided -> act(exchange, chain, decided));
    }

    /** Makes the decision, and adds it to the exchange even if the caller has disconnected. */
    private Mono<Decided> decide(Call call, Supplier<DecisionScope.End> within, ExchangeInFlight inFlight) {
        try (DecisionScope.End unused = within.get()) {
            ResponseOptions responses = limiter.responses();
            long askedAtMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
            CompletableFuture<Decision> asked =
                    limiter.decideAsync(call, afterWait(within)).toCompletableFuture();
            CompletableFuture<Decided> remembered = new CompletableFuture<>();
            var unusedToo = asked.handle((decision, fault) -> fault == null
                            ? remembered.complete(inFlight.add(limiter, decision, responses, askedAtMillis))
                            : remembered.completeExceptionally(fault))
                    .exceptionally(remembered::completeExceptionally);
            return remembered.isDone() && !remembered.isCompletedExceptionally()
                    ? Mono.just(remembered.join())
                    : Mono.fromFuture(remembered, true).doFinally(signal -> {
                        if (signal == SignalType.CANCEL) { // nobody will receive the decision, so cancel it
                            asked.cancel(false);
                        }
                    });
        } catch (RuntimeException | Error e) {
            return Mono.just(passing(e));
        }
    }

    private Executor afterWait(Supplier<DecisionScope.End> within) {
        return work -> AFTER_WAIT.execute(() -> {
            try (DecisionScope.End unused = open(within)) {
                work.run();
            }
        });
    }

    /** Opens the scope. If this fails, the call continues without a scope. */
    private DecisionScope.End open(Supplier<DecisionScope.End> within) {
        try {
            return within.get();
        } catch (RuntimeException | Error e) {
            faults.report(FAILED, e);
            return () -> {};
        }
    }

    private Decided passing(Throwable fault) {
        faults.report(FAILED, fault);
        return new Decided(limiter, Decision.UNLIMITED, ResponseOptions.DEFAULT, 0, null);
    }

    private Mono<Void> act(ServerWebExchange exchange, WebFilterChain chain, Decided decided) {
        try {
            writeHeaders(exchange.getResponse(), decided);
        } catch (RuntimeException | Error e) {
            faults.report(FAILED, e);
        }
        return decided.decision().admitted()
                ? chain.filter(exchange).onErrorResume(thrown -> refuseLogin(exchange, thrown))
                : refuse(exchange, decided);
    }

    /**
     * Writes the refusal of a login attempt before an application handler treats the exception as a fault. For refused
     * method calls, the application's handlers respond.
     */
    private Mono<Void> refuseLogin(ServerWebExchange exchange, Throwable thrown) {
        RateLimitedException refused = RefusalFinder.in(thrown);
        ServerHttpResponse response = exchange.getResponse();
        if (refused == null
                || response.isCommitted()
                || !ExchangeInFlight.hasRefusedLogin(exchange, refused.decision())) {
            return Mono.error(thrown);
        }
        ResponseOptions responses = limiter.responses();
        long nowMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
        Decided refusal = new Decided(limiter, refused.decision(), responses, nowMillis, null);
        writeHeaders(response, refusal);
        return refuse(exchange, refusal);
    }

    private void writeHeaders(ServerHttpResponse response, Decided decided) {
        Decided earlier = decided.earlier();
        headers.write(
                response,
                decided.decision(),
                decided.responses(),
                decided.askedAtMillis(),
                earlier == null ? null : earlier.decision(),
                false);
    }

    private Mono<Void> refuse(ServerWebExchange exchange, Decided decided) {
        ServerHttpResponse response = exchange.getResponse();
        Refusal refusal = writeRefusalHead(response, decided);
        if (refusals != null) {
            return Mono.defer(() -> refusals.refuse(exchange, decided.decision()))
                    .onErrorResume(fault -> refuseInstead(response, decided, fault));
        }
        RefusalContent content = RefusalContent.of(
                decided.responses(),
                refusal,
                exchange.getRequest().getURI().getRawPath(),
                String.join(",", exchange.getRequest().getHeaders().getValuesAsList(HttpHeaders.ACCEPT)));
        if (content.variesByAccept()) {
            response.getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        }
        return send(response, content.contentType(), content.text());
    }

    private Refusal writeRefusalHead(ServerHttpResponse response, Decided decided) {
        ResponseOptions responses = decided.responses();
        boolean isBusy = decided.decision().outcome() == Decision.Outcome.REFUSED_BUSY;
        int status = isBusy ? responses.statusIfBusy() : responses.status();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        headers.writeRefusal(response, decided.decision(), responses, false);
        return LimitFields.refusal(FIELDS, response, decided.decision(), status);
    }

    /** Writes the response in place of a failed handler, and discards everything that the handler has set. */
    private Mono<Void> refuseInstead(ServerHttpResponse response, Decided decided, Throwable fault) {
        faults.report("The ReactiveRefusalHandler failed; refusing such calls with a problem document instead.", fault);
        if (response.isCommitted()) {
            return Mono.error(fault);
        }
        response.getHeaders().clear();
        response.getCookies().clear();
        writeHeaders(response, decided);
        Refusal refusal = writeRefusalHead(response, decided);
        return send(response, Refusal.PROBLEM_JSON, refusal.problem());
    }

    /** For {@code HEAD}, WebFlux itself drops the body. */
    private static Mono<Void> send(ServerHttpResponse response, String contentType, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, contentType);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
