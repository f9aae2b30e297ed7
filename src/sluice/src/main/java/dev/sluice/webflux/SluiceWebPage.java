package dev.sluice.webflux;

import dev.sluice.internal.page.PageAccess;
import dev.sluice.internal.page.PageAnswer;
import dev.sluice.internal.page.PageAnswers;
import dev.sluice.open.Sluice;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The page for operators in a Spring WebFlux application. It shows which callers are refused, which limits refuse them,
 * and how many calls remain. Declare the page as a bean. By default, nobody can read it. {@link #roles} admits users
 * with a role, and {@link #open} admits everybody who can reach the page. {@link #changeRoles} also allows users with a
 * role to give clients more calls and reset the clients' usage.
 *
 * <pre>{@code
 * @Bean
 * SluiceWebPage page(Sluice limits) {
 *     return SluiceWebPage.of(limits).roles("OPERATOR");
 * }
 * }</pre>
 *
 * <p>The page handles all requests below {@code /_sluice}, behind all other filters, so Spring Security can protect it.
 * A {@link RateLimitWebFilter} bean does not limit requests for the page. The page reads and renders its data on {@link
 * Schedulers#boundedElastic}, never on an event loop.
 *
 * <p>Arguments must not be {@code null}. Thread-safe once configured.
 */
public final class SluiceWebPage
        implements WebFilter,
                Ordered,
                ApplicationContextAware,
                ApplicationListener<ContextClosedEvent>,
                InitializingBean,
                DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(SluiceWebPage.class);
    private static final String CLAIM = SluiceWebPage.class.getName();

    private final Sluice sluice;
    private PathPattern pattern = PathPatternParser.defaultInstance.parse("/_sluice");
    private PageAccess access = PageAccess.CLOSED;
    private PageAccess changes = PageAccess.CLOSED;
    private @Nullable ApplicationContext server;
    /** Not {@code null} while the application runs. */
    private @Nullable PageAnswers answers;

    private SluiceWebPage(Sluice sluice) {
        this.sluice = sluice;
    }

    /** Creates a page for a limiter. At first, nobody can read the page. */
    public static SluiceWebPage of(Sluice sluice) {
        return new SluiceWebPage(sluice);
    }

    /**
     * Maps the page to a path other than {@code /_sluice}.
     *
     * @param path the path, for example {@code /ops/limits}
     * @return this page
     * @throws IllegalArgumentException if the path has variables, does not begin with a slash, or ends with one
     */
    public SluiceWebPage at(String path) {
        if (!path.matches("(/[\\w.~-]+)+")) {
            throw new IllegalArgumentException(
                    "The page cannot be at \"" + path + "\"; write a plain path, for example /ops/limits");
        }
        pattern = PathPatternParser.defaultInstance.parse(path);
        return this;
    }

    /**
     * Admits only users with one of the given Spring Security roles.
     *
     * @return this page
     */
    public SluiceWebPage roles(String... roles) {
        access = new PageAccess(Set.of(roles), false);
        return this;
    }

    /**
     * Admits everybody who can reach the page. Readers see the clients' names, limits and numbers of calls.
     *
     * @return this page
     */
    public SluiceWebPage open() {
        access = PageAccess.OPEN;
        return this;
    }

    /**
     * Admits users with one of the given Spring Security roles, and lets them give clients more calls and reset the
     * clients' usage. The history records who made each change. By default, nobody can make changes.
     *
     * @return this page
     */
    public SluiceWebPage changeRoles(String... roles) {
        changes = new PageAccess(Set.of(roles), false);
        return this;
    }

    /**
     * Lets everybody who can reach the page read it, give clients more calls, and reset the clients' usage. Use this
     * method only if the page is protected by other means.
     *
     * @return this page
     */
    public SluiceWebPage openForChanges() {
        changes = PageAccess.OPEN;
        return this;
    }

    @Override
    public void setApplicationContext(ApplicationContext application) {
        server = application;
    }

    @Override
    public void afterPropertiesSet() {
        if (access.isClosed() && changes.isClosed()) {
            LOG.warn(
                    "The page for operators at {} is closed: nobody can read it. Call roles(...) or open() to admit"
                            + " readers.",
                    pattern.getPatternString());
        } else if (!access.open() && !changes.open() && !SpringSecurity.isKnown()) {
            LOG.warn(
                    "The page for operators at {} is closed: nobody can read it. Its roles require Spring Security,"
                            + " which is not on the class path.",
                    pattern.getPatternString());
        }
        answers = new PageAnswers(sluice);
    }

    /** Returns an order that places the page behind all other filters. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /**
     * Marks an exchange that a page will handle. The mark is an attribute of the exchange, so that the page still
     * handles it if a filter in between changes the path. Otherwise, the exchange would reach the application without
     * being counted.
     *
     * @param mappedTo the part of the path to which the page is mapped
     * @param below the rest of the path
     */
    private record Claim(SluiceWebPage page, String mappedTo, String below) {}

    /** Whether this page will handle the exchange, regardless of the behaviour of the filters in front of the page. */
    boolean claims(ServerWebExchange exchange) {
        Claim claim = find(exchange);
        if (claim != null) {
            exchange.getAttributes().putIfAbsent(CLAIM, claim);
        }
        return claim != null;
    }

    private @Nullable Claim find(ServerWebExchange exchange) {
        if (exchange.getAttributes().get(CLAIM) instanceof Claim known) {
            return known.page == this ? known : null;
        }
        if (SentTo.isAnotherServer(server, exchange)) {
            return null;
        }
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        PathPattern.PathRemainingMatchInfo match = pattern.matchStartOfPath(path);
        return match == null
                ? null
                : new Claim(
                        this,
                        match.getPathMatched().value(),
                        match.getPathRemaining().value());
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Claim claim = find(exchange);
        if (claim == null) {
            return chain.filter(exchange);
        }
        PageAnswers running = Objects.requireNonNull(answers, "register the page as a bean");
        return caller(exchange)
                .flatMap(caller -> caller.mayRead
                        ? read(exchange, claim, caller).flatMap(request -> work(() -> running.answer(request)))
                        : Mono.just(PageAnswer.FORBIDDEN))
                .flatMap(answer -> answer.isStream()
                        ? listen(exchange.getResponse(), answer, running)
                        : send(exchange.getResponse(), answer));
    }

    /** The caller, and the caller's rights on the page. */
    private record Caller(boolean mayRead, boolean mayChange, String name) {}

    private Mono<Caller> caller(ServerWebExchange exchange) {
        Caller stranger = new Caller(access.open() || changes.open(), changes.open(), "");
        if (!SpringSecurity.isKnown() || (changes.isClosed() && (access.open() || access.isClosed()))) {
            return Mono.just(stranger);
        }
        return exchange.getPrincipal()
                .map(principal -> {
                    boolean mayChange = changes.admits(role -> SpringSecurity.has(principal, role));
                    return new Caller(
                            mayChange || access.admits(role -> SpringSecurity.has(principal, role)),
                            mayChange,
                            SpringSecurity.isStranger(principal) ? "" : principal.getName());
                })
                .defaultIfEmpty(stranger);
    }

    /**
     * Reads the request. For a caller that is allowed to make changes, the result includes the form of a POST, or the
     * token that later changes need if the request is for data.
     */
    private static Mono<WebPageRequest> read(ServerWebExchange exchange, Claim claim, Caller caller) {
        WebPageRequest plain = new WebPageRequest(
                exchange, claim.mappedTo, claim.below, caller.mayChange, caller.name, Map.of(), null);
        if (!caller.mayChange) {
            return Mono.just(plain);
        }
        if (exchange.getRequest().getMethod().equals(HttpMethod.POST)) {
            return exchange.getFormData()
                    .map(form -> plain.withForm(form.toSingleValueMap()))
                    .onErrorReturn(plain);
        }
        return PageAnswers.needsCsrf(plain)
                ? SpringSecurity.csrf(exchange).map(plain::withCsrf).defaultIfEmpty(plain)
                : Mono.just(plain);
    }

    private static <T> Mono<T> work(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }

    private static Mono<Void> listen(ServerHttpResponse response, PageAnswer answer, PageAnswers running) {
        WebEvents events = new WebEvents(response.bufferFactory());
        return work(() -> running.listen(events))
                .flatMap(hasRoom -> {
                    if (!hasRoom) {
                        return send(response, PageAnswer.TOO_MANY);
                    }
                    writeHead(response, answer);
                    return response.writeAndFlushWith(events.all());
                })
                .doFinally(signal -> events.left());
    }

    /** For {@code HEAD}, WebFlux itself drops the body. */
    private static Mono<Void> send(ServerHttpResponse response, PageAnswer answer) {
        writeHead(response, answer);
        if (answer.body().length == 0) {
            return response.setComplete();
        }
        response.getHeaders().setContentLength(answer.body().length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(answer.body())));
    }

    private static void writeHead(ServerHttpResponse response, PageAnswer answer) {
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        answer.headers().forEach(response.getHeaders()::set);
    }

    /**
     * The current number of event readers. Only tests use it. They have no other way to check that disconnected readers
     * are dropped.
     */
    int listeners() {
        return answers == null ? 0 : answers.listeners();
    }

    /** Ends the event streams, so that the server does not wait for them when it shuts down. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext().equals(server)) {
            destroy();
        }
    }

    /** Ends the event streams and the sampling. The limiter stays open. */
    @Override
    public void destroy() {
        if (answers != null) {
            answers.close();
        }
    }
}
