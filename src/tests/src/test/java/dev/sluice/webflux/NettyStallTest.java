package dev.sluice.webflux;

import static dev.sluice.TestLimits.awaitingOutcomes;
import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.servlet.contract.SlowStore;
import dev.sluice.limits.Limits;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** Waiting calls, many more than there are event loops, do not delay a call that is not limited. */
@Timeout(120)
@Tag("server")
class NettyStallTest {

    private static final int MOST_PENDING = 50;
    /** A quarter is for callers whom nobody can invent. */
    private static final int MADE_UP_PENDING = MOST_PENDING - MOST_PENDING / 4;

    private static final int CALLS = 80;
    private static final int LOGINS = 40;

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final AtomicInteger passwords = new AtomicInteger();
    /** Opens when the passwords have been checked. */
    private final CompletableFuture<Boolean> gate = new CompletableFuture<>();

    private NettyServer server;

    private void serve(CountingRateLimiter limiter) {
        server = NettyServer.start(
                "",
                () -> new RateLimitWebFilter(limiter, null, 0),
                beans -> beans.registerBean("webHandler", WebHandler.class, () -> exchange -> {
                    exchange.getResponse().setStatusCode(HttpStatus.OK);
                    if (!exchange.getRequest().getPath().value().equals("/login")) {
                        return Mono.empty();
                    }
                    passwords.incrementAndGet();
                    return Mono.fromFuture(gate, true).then();
                }));
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        server.close();
    }

    private List<CompletableFuture<Answer>> call(String target, int number) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            String tenant = "X-Org-Id: tenant-" + i;
            answers.add(CompletableFuture.supplyAsync(() -> RawHttp.send(server, "GET", target, tenant), callers));
        }
        return answers;
    }

    private static long countOf(List<CompletableFuture<Answer>> answers, int status) {
        return answers.stream()
                .filter(answer -> answer.isDone() && answer.join().status() == status)
                .count();
    }

    @Test
    void aStoreThatDoesNotAnswer() {
        Limits patient = SlowStore.patientLimits(MOST_PENDING);
        SlowStore store = new SlowStore();
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                patient, InstantSource.system(), RateLimitListener.NONE, store, "this-one", null)) {
            serve(limiter);
            store.beSlow();
            List<CompletableFuture<Answer>> answers = call("/print", CALLS);
            Eventually.await("refusals", () -> countOf(answers, 429) == CALLS - MADE_UP_PENDING);
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            assertThat(countOf(answers, 200)).isZero();

            store.beQuick();
            Eventually.await("answers", () -> countOf(answers, 200) == MADE_UP_PENDING);
        }
    }

    @Test
    void callsThatAwaitOutcomes() {
        Limits limits = awaitingOutcomes(
                2 * LOGINS,
                TestLimits.of(counting(per(endpoint("login", "GET /login", perMinute(5))), Set.of(401), Cost.ONE)));
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(limits, InstantSource.system(), RateLimitListener.NONE)) {
            serve(limiter);
            List<CompletableFuture<Answer>> answers = call("/login", LOGINS);
            Eventually.await("calls that have passed", () -> passwords.get() == 5);
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            assertThat(countOf(answers, 200)).isZero();

            gate.complete(true);
            Eventually.await("answers", () -> countOf(answers, 200) == LOGINS);
            assertThat(passwords).hasValue(LOGINS);
        }
    }
}
