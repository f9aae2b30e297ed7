package dev.sluice.webflux;

import dev.sluice.Call;
import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.RefusalBody;
import dev.sluice.ResponseOptions;
import dev.sluice.config.Sluice;
import dev.sluice.internal.config.fault.FaultLog;
import dev.sluice.internal.http.reply.HeaderFields;
import dev.sluice.internal.http.reply.LimitFields;
import dev.sluice.internal.http.reply.Refusal;
import dev.sluice.internal.http.reply.RefusalTemplate;
import dev.sluice.webflux.ExchangeUnderWay.Decided;
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
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Asks a {@link RateLimiter} about each exchange of Spring WebFlux, and waits on no thread. An admitted exchange goes on, with
 * headers that say how much is left; any other is refused. If the limiter fails, that is logged, and the exchange passes.
 * If the caller leaves while the decision is pending, the filter cancels it.
 *
 * <p>As a bean it also decorates the handler of the whole server, since only that one sees how an exchange ends: what a filter
 * sees as an error becomes an answer, with its status, outside of all filters. Thread-safe.
 */
public final class RateLimitWebFilter
        implements WebFilter, HttpHandlerDecoratorFactory, ApplicationContextAware, Ordered {

    private static final String FAILED = "The rate limiter failed; such requests pass unlimited.";

    /** What comes after a wait runs there: those threads do not wait either. */
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

    private final RateLimiter limiter;
    private final @Nullable RefusalHandler refusals;
    private final int order;
    private final InstantSource clock;
    private final ExchangeReader reader;
    private @Nullable ApplicationContext server;
    private List<SluiceWebPage> pages = List.of();
    private DecisionScope scope = DecisionScope.NONE;
    private final LimitFields<ServerHttpResponse> headers = new LimitFields<>(FIELDS);
    private final FaultLog faults = new FaultLog(LoggerFactory.getLogger(RateLimitWebFilter.class), Level.ERROR);

    /**
     * Uses this limiter, and does not close it.
     *
     * @param refusals writes refusals; {@code null} for the template of the file or a problem document (RFC 9457)
     * @param order its place among the filters
     */
    public RateLimitWebFilter(RateLimiter limiter, @Nullable RefusalHandler refusals, int order) {
        this(limiter, refusals, order, Sluice.clockOf(limiter));
    }

    RateLimitWebFilter(RateLimiter limiter, @Nullable RefusalHandler refusals, int order, InstantSource clock) {
        this.limiter = limiter;
        this.refusals = refusals;
        this.order = order;
        this.clock = clock;
        this.reader = new ExchangeReader(limiter);
        var unused = CallerSubjects.fingerprint("", List.of()); // the first one reads a random number from a file
    }

    /** Decides within this scope from now on. */
    public RateLimitWebFilter within(DecisionScope surrounding) {
        scope = surrounding;
        return this;
    }

    /** The limiter that it asks. */
    public RateLimiter limiter() {
        return limiter;
    }

    @Override
    public void setApplicationContext(ApplicationContext application) {
        server = application;
        pages = application.getBeanProvider(SluiceWebPage.class).stream().toList();
    }

    /** Whether a page answers the exchange, whoever else would have. */
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
            if (context.hasKey(ExchangeUnderWay.class)) {
                return handler.handle(request, response);
            }
            ExchangeUnderWay underWay = new ExchangeUnderWay(faults);
            return handler.handle(request, new WatchedAnswer(response, underWay))
                    .doFinally(signal -> underWay.end(WatchedAnswer.statusAt(signal, response, null)))
                    .contextWrite(Context.of(ExchangeUnderWay.class, underWay));
        });
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (SentTo.isAnotherServer(server, exchange) || isForPage(exchange)) {
            return chain.filter(exchange);
        }
        return Mono.deferContextual(context -> {
            ExchangeUnderWay known = ExchangeUnderWay.of(exchange);
            if (known == null) {
                known = context.<ExchangeUnderWay>getOrDefault(ExchangeUnderWay.class, null);
            }
            if (known == null) {
                return endingItself(exchange, chain, context);
            }
            return known.hasAsked(limiter) ? chain.filter(exchange) : ask(exchange, chain, context, known);
        });
    }

    /** The end of an exchange whose server is not decorated is that of the chain. */
    private Mono<Void> endingItself(ServerWebExchange exchange, WebFilterChain chain, ContextView context) {
        ExchangeUnderWay underWay = new ExchangeUnderWay(faults);
        return ask(exchange, chain, context, underWay)
                .doOnError(fault ->
                        underWay.end(WatchedAnswer.statusAt(SignalType.ON_ERROR, exchange.getResponse(), fault)))
                .doFinally(signal -> underWay.end(WatchedAnswer.statusAt(signal, exchange.getResponse(), null)));
    }

    private Mono<Void> ask(
            ServerWebExchange exchange, WebFilterChain chain, ContextView context, ExchangeUnderWay underWay) {
        underWay.keepIn(exchange);
        return Mono.defer(() -> reader.read(exchange))
                .flatMap(call -> decide(call, () -> scope.begin(exchange, context), underWay))
                .onErrorResume(fault -> Mono.just(passing(fault)))
                .flatMap(decided -> act(exchange, chain, decided));
    }

    /** The decision. It is remembered even if nobody waits for it any more. */
    private Mono<Decided> decide(Call call, Supplier<DecisionScope.End> within, ExchangeUnderWay underWay) {
        try (DecisionScope.End unused = within.get()) {
            ResponseOptions responses = limiter.responses();
            long askedAtMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
            CompletableFuture<Decision> asked =
                    limiter.decideAsync(call, afterWait(within)).toCompletableFuture();
            CompletableFuture<Decided> remembered = new CompletableFuture<>();
            var unusedToo = asked.handle((decision, fault) -> fault == null
                            ? remembered.complete(underWay.add(limiter, decision, responses, askedAtMillis))
                            : remembered.completeExceptionally(fault))
                    .exceptionally(remembered::completeExceptionally);
            return remembered.isDone() && !remembered.isCompletedExceptionally()
                    ? Mono.just(remembered.join())
                    : Mono.fromFuture(remembered, true).doFinally(signal -> {
                        if (signal == SignalType.CANCEL) { // nobody hears any more that it was cancelled
                            asked.cancel(false);
                        }
                    });
        } catch (RuntimeException | Error e) {
            return Mono.just(passing(e));
        }
    }

    private static Executor afterWait(Supplier<DecisionScope.End> within) {
        return work -> AFTER_WAIT.execute(() -> {
            try (DecisionScope.End unused = within.get()) {
                work.run();
            }
        });
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
        return decided.decision().admitted() ? chain.filter(exchange) : refuse(exchange, decided);
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
        ResponseOptions responses = decided.responses();
        boolean isBusy = decided.decision().outcome() == Decision.Outcome.REFUSED_BUSY;
        int status = isBusy ? responses.statusIfBusy() : responses.status();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        headers.writeRefusal(response, decided.decision(), responses, false);
        Refusal refusal = LimitFields.refusal(FIELDS, response, decided.decision(), status);
        if (refusals != null) {
            return Mono.defer(() -> refusals.refuse(exchange, decided.decision()))
                    .onErrorResume(fault -> {
                        faults.report(
                                "The RefusalHandler failed; such calls are refused with a problem document instead.",
                                fault);
                        return response.isCommitted()
                                ? Mono.error(fault)
                                : send(response, Refusal.PROBLEM_JSON, refusal.problem());
                    });
        }
        RefusalBody body = responses.body();
        return body == null
                ? send(response, Refusal.PROBLEM_JSON, refusal.problem())
                : send(
                        response,
                        body.contentType(),
                        RefusalTemplate.filledIn(
                                body, refusal, exchange.getRequest().getURI().getRawPath()));
    }

    /** Of an answer to {@code HEAD}, WebFlux sends the head alone. */
    private static Mono<Void> send(ServerHttpResponse response, String contentType, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, contentType);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
