package dev.sluice.internal.servlet.contract;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.tier;
import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.limits.Limits;
import dev.sluice.servlet.RateLimit;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How the end of a call affects limits, from the request of the caller to the counters; the same in every container.
 */
@Tag("server")
public abstract class InFlightContract {

    /** How long a slow login takes. */
    private static final long LOGIN_MILLIS = 100;

    private final WebServer.Make make;
    private final TestClock clock = new TestClock(1_700_000_003_500L);
    private final AtomicInteger served = new AtomicInteger();
    private CountDownLatch gate = new CountDownLatch(0);
    private CountingRateLimiter limiter;
    private WebServer server;

    public InFlightContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void close() {
        gate.countDown();
        server.close();
        limiter.close();
    }

    private void serve(Endpoint... endpoints) throws Exception {
        serve(TestLimits.of(endpoints));
    }

    private void serve(Limits limits) throws Exception {
        limiter = new CountingRateLimiter(limits, clock, RateLimitListener.NONE);
        server = make.start(Application.at("", (classes, context) -> {
            addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
            addServlet(context, "/login", (request, response) -> {
                served.incrementAndGet();
                if (request.getParameter("slow") != null) {
                    Eventually.pause(LOGIN_MILLIS);
                }
                if (!"right".equals(request.getParameter("password"))) {
                    response.sendError(401);
                }
            });
            addServlet(context, "/buy", (request, response) -> {
                long price = Long.parseLong(request.getParameter("price"));
                response.getWriter().print(RateLimit.charge(request, price).counted());
            });
            addServlet(context, "/hold", (request, response) -> hold());
            addServlet(context, "/hold-and-throw", (request, response) -> {
                hold();
                throw new IllegalStateException("broken by intent");
            });
            addServlet(context, "/later", (request, response) -> {
                AsyncContext async = request.startAsync();
                new Thread(() -> {
                            hold();
                            async.complete();
                        })
                        .start();
                served.incrementAndGet();
            });
            addServlet(context, "/never", (request, response) -> {
                request.startAsync().setTimeout(300);
                served.incrementAndGet();
            });
            addServlet(context, "/stream", (request, response) -> {
                byte[] piece = new byte[8_192];
                while (true) {
                    response.getOutputStream().write(piece);
                    response.flushBuffer();
                }
            });
        }));
    }

    private void hold() {
        served.incrementAndGet();
        try {
            assertThat(gate.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Answer get(String target) {
        return RawHttp.send(server, "GET", target, "X-Org-Id: acme");
    }

    /** Sends this number of calls at once. */
    private List<Integer> statuses(int calls, Callable<Answer> call) throws Exception {
        return statuses(calls, calls, call);
    }

    private List<Integer> statuses(int calls, int atOnce, Callable<Answer> call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(atOnce);
        try {
            List<Future<Answer>> answers = callers.invokeAll(Collections.nCopies(calls, call));
            List<Integer> statuses = new ArrayList<>();
            for (Future<Answer> answer : answers) {
                statuses.add(answer.get().status());
            }
            return statuses;
        } finally {
            callers.shutdownNow();
        }
    }

    /** A limit may learn of the end of a call a moment after its answer. */
    private void awaitStatus(int status, String target) {
        Eventually.await("an answer with " + status, () -> get(target).status() == status);
    }

    private void awaitServed(int calls) {
        Eventually.await("calls in the application", () -> served.get() >= calls);
        assertThat(served).hasValue(calls);
    }

    @Nested
    class FailedLogins {

        private final Endpoint five =
                counting(endpoint("login", "/login", tier(5, Duration.ofHours(1))), Set.of(401), Cost.ONE);

        @Test
        void fiftyAtOnceGetExactlyFiveTries() throws Exception {
            serve(five);
            List<Integer> statuses = statuses(50, () -> get("/login?password=wrong"));
            assertThat(statuses).containsOnly(401, 429);
            assertThat(statuses).filteredOn(status -> status == 401).hasSize(5);
            assertThat(served).hasValue(5);
            assertThat(get("/login?password=right").status()).isEqualTo(429);
        }

        @Test
        void successfulLoginsGiveTheirTryBack() throws Exception {
            serve(five);
            for (int i = 0; i < 20; i++) {
                assertThat(get("/login?password=right").status()).isEqualTo(200);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(get("/login?password=wrong").status()).isEqualTo(401);
            }
            Answer sixth = get("/login?password=wrong");
            assertThat(sixth.status()).isEqualTo(429);
            assertThat(Integer.parseInt(sixth.header("Retry-After"))).isGreaterThan(1);
        }
    }

    @Nested
    class LoginsThatWaitForOthers {

        private void serveFive() throws Exception {
            Endpoint five = counting(endpoint("login", "/login", tier(5, Duration.ofHours(1))), Set.of(401), Cost.ONE);
            serve(TestLimits.awaitingOutcomes(100, TestLimits.of(five)));
        }

        @Test
        void allPassIfTheyAreRight() throws Exception {
            serveFive();
            assertThat(statuses(40, 8, () -> get("/login?password=right&slow"))).containsOnly(200);
        }

        @Test
        void allPassIfTheyAreRightAndComeAtOnce() throws Exception {
            serveFive();
            assertThat(statuses(40, () -> get("/login?password=right&slow"))).containsOnly(200);
        }

        @Test
        void getFiveTriesIfTheyAreWrong() throws Exception {
            serveFive();
            List<Integer> statuses = statuses(50, () -> get("/login?password=wrong&slow"));
            assertThat(statuses).containsOnly(401, 429);
            assertThat(served).hasValue(5);
        }

        /** A caller who disconnects while it waits still takes its turn, and gives its permit back. */
        @Test
        void loseNoPermitIfCallersDisconnect() throws Exception {
            serveFive();
            List<Socket> callers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                Socket caller = new Socket("127.0.0.1", server.port());
                String request = "GET /login?password=right&slow HTTP/1.1\r\nHost: here\r\nX-Org-Id: acme\r\n\r\n";
                caller.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                callers.add(caller);
            }
            Eventually.await("calls in the application", () -> served.get() >= 5);
            for (Socket caller : callers) {
                caller.setSoLinger(true, 0);
                caller.close();
            }
            assertThat(statuses(10, () -> get("/login?password=right"))).containsOnly(200);
            assertThat(statuses(10, 1, () -> get("/login?password=wrong")))
                    .filteredOn(status -> status == 401)
                    .hasSize(5);
        }
    }

    @Nested
    class Purchases {

        @Test
        void areChargedWhenTheirPriceIsKnown() throws Exception {
            serve(counting(endpoint("purchases", "/buy", tier(200, Duration.ofDays(1))), Set.of(), Cost.CHARGED));
            assertThat(get("/buy?price=120").body()).contains("true");
            Answer second = get("/buy?price=100");
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.header("x-ratelimit-remaining")).isEqualTo("80");
            assertThat(get("/buy?price=1").status()).isEqualTo(429);
            clock.advance(Duration.ofDays(1));
            assertThat(get("/buy?price=1").status()).isEqualTo(200);
        }
    }

    @Nested
    class Slots {

        private void serveTwo(String path) throws Exception {
            Tier two = new Tier("concurrency", new Limit.Concurrency(2, Scope.SERVER));
            serve(endpoint("two", path, two));
        }

        /** While two calls are in flight, a third is refused; when they have ended, calls pass again. */
        private void isFreedAfter(String path, int status) throws Exception {
            gate = new CountDownLatch(1);
            serveTwo(path);
            Thread callers = new Thread(() -> {
                try {
                    assertThat(statuses(2, () -> get(path))).containsOnly(status);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            callers.start();
            awaitServed(2 * (path.equals("/later") ? 2 : 1));
            Answer third = get(path);
            assertThat(third.status()).isEqualTo(429);
            assertThat(third.header("Retry-After")).isEqualTo("1");
            gate.countDown();
            callers.join();
            awaitStatus(status, path);
        }

        @Test
        void areFreedByAnAnswer() throws Exception {
            isFreedAfter("/hold", 200);
        }

        @Test
        void areFreedByAFault() throws Exception {
            isFreedAfter("/hold-and-throw", 500);
        }

        @Test
        void areFreedByAnAnswerFromAnotherThread() throws Exception {
            isFreedAfter("/later", 200);
        }

        @Test
        void areFreedByATimeout() throws Exception {
            serveTwo("/never");
            assertThat(statuses(3, () -> get("/never"))).containsOnly(500, 429);
            awaitStatus(500, "/never");
        }

        @Test
        void areFreedByACallerWhoDisconnects() throws Exception {
            serveTwo("/stream");
            for (int i = 0; i < 5; i++) {
                awaitSlot();
            }
        }

        /** Waits until a slot is free, takes it, and disconnects. */
        private void awaitSlot() throws IOException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            String begin;
            do {
                try (Socket socket = new Socket("127.0.0.1", server.port())) {
                    socket.setSoTimeout(10_000);
                    String request = "GET /stream HTTP/1.1\r\nHost: here\r\nX-Org-Id: acme\r\n\r\n";
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                    begin = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                    socket.setSoLinger(true, 0);
                }
            } while (begin.equals("HTTP/1.1 429") && System.nanoTime() < deadline);
            assertThat(begin).isEqualTo("HTTP/1.1 200");
        }
    }

    @Nested
    class ATolerance {

        @Test
        void isSeenByTheCaller() throws Exception {
            Limit ten = new Limit.FixedWindow(10, Duration.ofHours(1));
            serve(endpoint("soft", "/login", new Tier("1h", ten, new Overage.Soft(0.1), Sync.DEFAULT)));
            for (int i = 0; i < 10; i++) {
                assertThat(get("/login?password=right").headers("x-ratelimit-beyond"))
                        .isEmpty();
            }
            Answer eleventh = get("/login?password=right");
            assertThat(eleventh.status()).isEqualTo(200);
            assertThat(eleventh.header("x-ratelimit-beyond")).isEqualTo("true");
            assertThat(eleventh.header("x-ratelimit-remaining")).isEqualTo("0");
            assertThat(get("/login?password=right").status()).isEqualTo(429);
        }
    }

    @Nested
    class AQueue {

        @Test
        void admitsCallsAtAnEvenPaceUntilItIsFull() throws Exception {
            Limit paced = new Limit.LeakyBucket(10, Duration.ofSeconds(1), 3, Duration.ofSeconds(1));
            serve(endpoint("paced", "/login", new Tier("paced", paced)));
            long begin = System.nanoTime();
            List<Integer> statuses = statuses(12, () -> get("/login?password=right"));
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(statuses).containsOnly(200, 429);
            assertThat(statuses).filteredOn(status -> status == 200).hasSize(4);
            assertThat(served).hasValue(4);
            assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        }
    }
}
