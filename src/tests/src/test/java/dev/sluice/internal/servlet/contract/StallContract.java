package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.limits.Limits;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any number of waiting calls does not delay a call that is not limited; the same in every container. */
@Tag("server")
public abstract class StallContract {

    private static final int MOST_PENDING = 2;
    private static final Duration PACE = Duration.ofSeconds(4);

    private final WebServer.Make make;
    private final ExecutorService callers = Executors.newCachedThreadPool();
    /** How many threads of the server are within the filters. */
    private final AtomicInteger threads = new AtomicInteger();
    /** How many password checks have begun. */
    private final AtomicInteger passwords = new AtomicInteger();
    /** Opens when the passwords have been checked. */
    private final CompletableFuture<Boolean> gate = new CompletableFuture<>();

    private WebServer server;

    public StallContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        server.close();
    }

    private void serve(RateLimiter limiter) throws Exception {
        server = make.start(Application.at("", (classes, context) -> {
            SmallApplication.countThreads(context, threads);
            addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
            SmallApplication.addServlets(context);
            SmallApplication.addServlet(
                    context,
                    "/print",
                    (request, response) -> response.getWriter().print("printed"));
            SmallApplication.addServlet(context, "/login", (request, response) -> {
                AsyncContext async = request.startAsync(request, response);
                passwords.incrementAndGet();
                var unused = gate.thenRunAsync(async::complete);
            });
        }));
    }

    private CompletableFuture<Answer> call(String target, String tenant) {
        return CompletableFuture.supplyAsync(() -> RawHttp.send(server, "GET", target, "X-Org-Id: " + tenant), callers);
    }

    private static long threadsIn(String className, String method) {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Stream.of(stack)
                        .anyMatch(frame -> frame.getClassName().endsWith(className)
                                && frame.getMethodName().equals(method)))
                .count();
    }

    private void awaitThreads(int number) {
        Eventually.await(() -> number + " threads in the filters; there are " + threads, () -> threads.get() == number);
    }

    private static long countOf(List<CompletableFuture<Answer>> answers, int status) {
        return answers.stream()
                .filter(answer -> answer.isDone() && answer.join().status() == status)
                .count();
    }

    @Test
    void callsThatAreQueuedOnThreads(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("rate-limits.yml"), """
                    pendingCalls: { queued: %d }
                    endpoints:
                      - id: print
                        pathPattern: /print
                        tiers: [ { period: %ds, threshold: 5, algorithm: leaky-bucket, queue: 10, maxQueueTime: 20s } ]
                    """.formatted(MOST_PENDING, 5 * PACE.toSeconds()));
        try (Sluice limits = Sluice.open(file.toString())) {
            serve(limits);
            List<CompletableFuture<Answer>> first = new ArrayList<>();
            List<CompletableFuture<Answer>> second = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                first.add(call("/print", "tenant-" + i));
            }
            Eventually.await("the first answers", () -> countOf(first, 200) == first.size());
            for (int i = 0; i < 150; i++) {
                second.add(call("/%70rint", "tenant-" + i));
            }
            Eventually.await("calls in the queue", () -> threadsIn(".InFlightCall", "awaitTurn") == MOST_PENDING);
            Answer unlimited = RawHttp.get(server, "/hello");
            assertThat(threadsIn(".InFlightCall", "awaitTurn")).isEqualTo(MOST_PENDING);
            assertThat(unlimited.status()).isEqualTo(200);

            Eventually.await("the second answers", () -> countOf(second, 200) + countOf(second, 429) == second.size());
            assertThat(countOf(second, 200)).isEqualTo(MOST_PENDING);
            Answer refused = second.stream()
                    .map(CompletableFuture::join)
                    .filter(answer -> answer.status() == 429)
                    .findFirst()
                    .orElseThrow();
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, (int) PACE.toSeconds());
            assertThat(refused.header("x-ratelimit-limit")).isEqualTo("5");
            assertThat(refused.body())
                    .contains(
                            "#temporary-reduced-capacity",
                            "\"detail\":\"Too many calls are already pending; try again in ");
        }
    }

    @Test
    void aStoreThatDoesNotAnswer() throws Exception {
        SlowStore store = new SlowStore();
        Limits patient = SlowStore.patientLimits(MOST_PENDING);
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                patient, InstantSource.system(), RateLimitListener.NONE, store, "this-one", null)) {
            serve(limiter);
            store.beSlow();
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                answers.add(call("/print", "tenant-" + i));
            }
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            Eventually.await("refusals", () -> countOf(answers, 429) == answers.size() - MOST_PENDING);
            awaitThreads(MOST_PENDING);
            assertThat(answers.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                    .allSatisfy(refused -> assertThat(refused.body()).contains("#temporary-reduced-capacity"));

            store.beQuick();
            Eventually.await("answers", () -> countOf(answers, 200) == MOST_PENDING);
        }
    }

    @Test
    void callsThatAwaitOutcomes(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
            pendingCalls: { awaitingOutcomes: %d }
            endpoints:
              - id: login
                pathPattern: /login
                count: { status: [ 401 ] }
                tiers: [ { period: 1h, threshold: 5 } ]
            """.formatted(2 * MOST_PENDING));
        try (Sluice limits = Sluice.open(file.toString())) {
            serve(limits);
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(call("/login", "any"));
            }
            Eventually.await("refusals", () -> countOf(answers, 429) == answers.size() - 5 - MOST_PENDING);
            awaitThreads(MOST_PENDING);
            assertThat(passwords).hasValue(5);
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);

            gate.complete(true);
            Eventually.await("answers", () -> countOf(answers, 200) == 5 + MOST_PENDING);
        }
    }
}
