package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.servlet.FilterQueue;
import dev.sluice.servlet.RateLimit;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletException;
import java.net.Socket;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A call that is parked before it is decided continues or is refused once it is; the same in every container. */
public abstract class ParkingContract {

    private static final Decision ADMITTED = Decisions.admitted(Decisions.PRODUCT, 9, 6_500);
    private static final Decision REFUSED = Decisions.refused(Decisions.PRODUCT, 6_500);

    private final WebServer.Make make;
    private final LateLimiter limiter = new LateLimiter();
    private final TicketFake tickets = TicketFake.atOnce();
    /** How many threads of the server are within the filters. */
    private final AtomicInteger threads = new AtomicInteger();

    private final List<String> behind = new CopyOnWriteArrayList<>();
    private EnumSet<DispatcherType> dispatches = EnumSet.allOf(DispatcherType.class);
    private String parking = "all";
    private RateLimitFilter filter = new RateLimitFilter(limiter);
    private WebServer server;

    public ParkingContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void serve() throws Exception {
        server = make.start(Application.at("", (classes, context) -> {
                    SmallApplication.countThreads(context, threads);
                    FilterRegistration.Dynamic limits = context.addFilter("limits", filter);
                    limits.setAsyncSupported(true);
                    limits.setInitParameter("parking", parking);
                    limits.addMappingForUrlPatterns(dispatches, true, "/*");
                    Filter watch = (request, response, chain) -> {
                        behind.add(request.getDispatcherType().name());
                        chain.doFilter(request, response);
                    };
                    addFilter(context, "watch", watch, "/*");
                    SmallApplication.addServlets(context);
                    addServlet(
                            context,
                            "/both",
                            (request, response) -> response.getWriter()
                                    .print(request.getParameter("colour") + request.getQueryString()));
                    addServlet(context, "/fall-back", (request, response) -> {
                        try {
                            request.getRequestDispatcher("/broken").include(request, response);
                        } catch (IllegalStateException | ServletException e) {
                            behind.add("fell back");
                        } finally {
                            behind.add("ended " + tickets.furtherEnds());
                        }
                    });
                    addServlet(
                            context,
                            "/charge",
                            (request, response) -> response.getWriter().print(RateLimit.charge(request, 7)));
                })
                .withErrorPage(429, "/error"));
    }

    private CompletableFuture<Answer> call(String target) {
        return CompletableFuture.supplyAsync(() -> RawHttp.get(server, target));
    }

    private static Answer in20Seconds(CompletableFuture<Answer> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    /** Waits until the next call to be decided is parked. */
    private CompletableFuture<Decision> nextParked() throws Exception {
        CompletableFuture<Decision> deciding = limiter.next();
        Eventually.await("a parked call", () -> FilterQueue.isQueueing(filter, 1));
        return deciding;
    }

    /** The answer to a call that is parked and then gets this decision. */
    private Answer answerTo(String target, Decision decision) throws Exception {
        CompletableFuture<Answer> answer = call(target);
        nextParked().complete(decision);
        return in20Seconds(answer);
    }

    @Nested
    class Admitted {

        @Test
        void continuesWithItsHeaders() throws Exception {
            serve();
            Answer answer = answerTo("/hello", ADMITTED);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("hello");
            assertThat(answer.header("x-ratelimit-remaining")).isEqualTo("9");
            assertThat(FilterQueue.isQueueing(filter, 0)).isTrue();
        }

        @Test
        void looksNewToTheFiltersBehind() throws Exception {
            serve();
            answerTo("/hello", ADMITTED);
            assertThat(behind).containsExactly("REQUEST");
        }

        @Test
        void keepsItsBodyAndItsQuery() throws Exception {
            serve();
            CompletableFuture<Answer> answer =
                    CompletableFuture.supplyAsync(() -> RawHttp.postForm(server, "/both?org=a%2Fb", "colour=red"));
            nextParked().complete(ADMITTED);
            assertThat(in20Seconds(answer).body()).contains("redorg=a%2Fb");
        }

        @Test
        void reportsItsEndAndItsCost() throws Exception {
            serve();
            Answer answer = answerTo("/charge", tickets.decide(null));
            assertThat(answer.body()).contains("true");
            assertThat(tickets.charged()).containsExactly(7L);
            assertThat(tickets.nextEnd()).isEqualTo(200);
            assertThat(tickets.furtherEnds()).isEmpty();
        }

        @Test
        void endsOnceItsServletReturnsAndNotWhenAnIncludeFails() throws Exception {
            serve();
            answerTo("/fall-back", tickets.decide(null));
            assertThat(behind).contains("ended []");
            assertThat(tickets.nextEnd()).isNotEqualTo(-1);
            assertThat(tickets.furtherEnds()).isEmpty();
        }

        @Test
        void isNotParkedIfItNeedNotWait() throws Exception {
            serve();
            limiter.alreadyDecided = ADMITTED;
            assertThat(RawHttp.get(server, "/hello").header("x-ratelimit-remaining"))
                    .isEqualTo("9");
            assertThat(behind).containsExactly("REQUEST");
        }

        @Test
        void passesIfTheLimiterFails() throws Exception {
            serve();
            CompletableFuture<Answer> answer = call("/hello");
            nextParked().completeExceptionally(new IllegalStateException("broken by intent"));
            assertThat(in20Seconds(answer).status()).isEqualTo(200);
            assertThat(behind).containsExactly("REQUEST");
        }

        @Test
        void isDecidedAgainInAForwardIfNoLimitApplied() throws Exception {
            serve();
            Answer answer = answerTo("/forward", Decision.UNLIMITED);
            assertThat(answer.header("x-ratelimit-remaining")).isEqualTo("9");
        }
    }

    @Nested
    class Refused {

        @Test
        void isAnsweredWithoutADispatch() throws Exception {
            serve();
            Answer answer = answerTo("/hello", REFUSED);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.header("x-ratelimit-limit")).isEqualTo("1000");
            assertThat(answer.body()).contains("#quota-exceeded");
            assertThat(behind).isEmpty();
        }

        @Test
        void evenIfTheFilterIsMappedForRequestsOnly() throws Exception {
            dispatches = EnumSet.of(DispatcherType.REQUEST);
            serve();
            Answer answer = answerTo("/hello", REFUSED);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(behind).isEmpty();
        }

        @Test
        void inTheWordsOfTheApplication() throws Exception {
            RefusalHandler own =
                    (request, response, decision) -> response.getWriter().print("no " + request.getParameter("colour"));
            filter = new RateLimitFilter(limiter, own);
            serve();
            Answer answer = answerTo("/hello?colour=red", REFUSED);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("no red");
        }

        @Test
        void byAnErrorPage() throws Exception {
            RefusalHandler own = (request, response, decision) -> response.sendError(response.getStatus());
            filter = new RateLimitFilter(limiter, own);
            serve();
            Answer answer = answerTo("/hello", REFUSED);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("sorry");
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.header("x-ratelimit-limit")).isEqualTo("1000");
        }

        @Test
        void byAForward() throws Exception {
            RefusalHandler own = (request, response, decision) ->
                    request.getRequestDispatcher("/error").forward(request, response);
            filter = new RateLimitFilter(limiter, own);
            serve();
            Answer answer = answerTo("/hello", REFUSED);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("sorry");
            assertThat(answer.header("Retry-After")).isEqualTo("7");
        }

        @Test
        void evenIfTheRefusalHandlerFails() throws Exception {
            RefusalHandler own = (request, response, decision) -> {
                throw new IllegalStateException("broken by intent");
            };
            filter = new RateLimitFilter(limiter, own);
            serve();
            Answer answer = answerTo("/hello", REFUSED);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("#quota-exceeded");
        }
    }

    @Nested
    class Meanwhile {

        @Test
        void noThreadOfTheServerWaits() throws Exception {
            serve();
            CompletableFuture<Answer> answer = call("/hello");
            CompletableFuture<Decision> deciding = nextParked();
            Eventually.await("a free thread", () -> threads.get() == 0);
            deciding.complete(ADMITTED);
            assertThat(in20Seconds(answer).status()).isEqualTo(200);
        }

        @Test
        void aCallerWhoDisconnectsCancelsTheDecision() throws Exception {
            serve();
            try (Socket socket = RawHttp.begin(server, "/hello")) {
                CompletableFuture<Decision> deciding = nextParked();
                socket.setSoLinger(true, 0);
                socket.close();
                deciding.complete(tickets.decide(null)); // usually no container has noticed yet
                assertThat(tickets.nextEnd()).isNotEqualTo(-1);
            }
        }

        @Test
        void destroyingTheFilterCancelsTheDecision() throws Exception {
            serve();
            CompletableFuture<Answer> answer = call("/hello");
            CompletableFuture<Decision> deciding = nextParked();
            filter.destroy();
            assertThat(in20Seconds(answer).status()).isEqualTo(503);
            assertThat(answer.join().header("Retry-After")).isEqualTo("1");
            Eventually.await("nothing left to decide", deciding::isCancelled);
            assertThat(behind).isEmpty();
        }
    }

    @Nested
    class OnItsThread {

        @Test
        void unlessAllCallsMayBeParked() throws Exception {
            parking = "turns";
            serve();
            assertThat(RawHttp.get(server, "/hello").header("x-ratelimit-remaining"))
                    .isEqualTo("9");
            assertThat(limiter.futures).isEmpty();
        }

        @Test
        void ifItsPathIsUnusual() throws Exception {
            serve();
            assertThat(RawHttp.get(server, "/%68ello").header("x-ratelimit-remaining"))
                    .isEqualTo("9");
            assertThat(limiter.futures).isEmpty();
        }

        @Test
        void onceItIsKnownThatTheFilterIsNotCalledForAsyncDispatches() throws Exception {
            dispatches = EnumSet.of(DispatcherType.REQUEST);
            serve();
            CompletableFuture<Answer> first = call("/hello");
            nextParked().complete(ADMITTED);
            assertThat(in20Seconds(first).status()).isEqualTo(200);
            Eventually.await("calls that wait on their threads", () -> !parksNext());
        }

        private boolean parksNext() {
            CompletableFuture<Answer> next = call("/hello");
            Eventually.await("a call", () -> next.isDone() || !limiter.futures.isEmpty());
            CompletableFuture<Decision> deciding = limiter.futures.poll();
            if (deciding != null) {
                deciding.complete(ADMITTED);
            }
            assertThat(next.join().status()).isEqualTo(200);
            return deciding != null;
        }
    }

    /** Decides calls when the test says so; calls that wait on a thread, at once. */
    private static final class LateLimiter implements RateLimiter {

        private final BlockingQueue<CompletableFuture<Decision>> futures = new LinkedBlockingQueue<>();
        private volatile Decision alreadyDecided;

        @Override
        public Decision decide(Call call) {
            return ADMITTED;
        }

        @Override
        public CompletionStage<Decision> decideAsync(Call call, Executor executor) {
            if (alreadyDecided != null) {
                return CompletableFuture.completedFuture(alreadyDecided);
            }
            CompletableFuture<Decision> deciding = new CompletableFuture<>();
            futures.add(deciding);
            return deciding;
        }

        private CompletableFuture<Decision> next() throws InterruptedException {
            CompletableFuture<Decision> next = futures.poll(10, TimeUnit.SECONDS);
            assertThat(next).as("a call that was asked about").isNotNull();
            return next;
        }
    }
}
