package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While the store is unavailable an instance goes on by itself, and every algorithm recovers as it would alone. */
@Timeout(60)
class UnavailableStoreTest {

    private static final TestCall CALL = TestCall.get("/a").of("acme");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int THRESHOLD = 20;

    private final Unavailable store = new Unavailable();
    private final TestClock clock = new TestClock(1_627_318_800_000L);

    static List<Limit> limits() {
        return TestLimits.ofEachAlgorithm(THRESHOLD, MINUTE);
    }

    /** Those of so many calls that are admitted. */
    private static List<Decision> admitted(CountingRateLimiter limiter, int calls) {
        return Stream.generate(() -> limiter.decide(CALL))
                .limit(calls)
                .filter(Decision::admitted)
                .toList();
    }

    /** Waits until the background has looked at what was used, at the time that the clock stands at. */
    private void awaitLook() {
        int before = store.asked.get();
        Eventually.await("two batches", () -> store.asked.get() >= before + 2);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void theLimitHoldsHereAndComesBackWithTime(Limit limit) {
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofMillis(50), 0.01, false));
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                TestLimits.of(endpoint("e", "/a", tier)), clock, RateLimitListener.NONE, store, "i", null)) {
            List<Decision> first = admitted(limiter, 3 * THRESHOLD);
            assertThat(first).hasSize(THRESHOLD);

            awaitLook();
            Decision refused = limiter.decide(CALL);
            assertThat(refused.admitted()).isFalse();
            assertThat(refused.retryAfterMillis()).isBetween(1L, 2 * MINUTE.toMillis());
            assertThat(refused.remaining()).isZero();
            first.stream().map(Decision::ticket).filter(Objects::nonNull).forEach(ticket -> ticket.ended(200));
            clock.advance(MINUTE.multipliedBy(2));

            assertThat(admitted(limiter, 3 * THRESHOLD)).hasSize(THRESHOLD);
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aRetryAfterTheRetryTimePasses(Limit limit) {
        Assumptions.assumeFalse(limit instanceof Limit.Concurrency, "a slot comes back when a call ends");
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofMillis(50), 0.01, false));
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                TestLimits.of(endpoint("e", "/a", tier)), clock, RateLimitListener.NONE, store, "i", null)) {
            assertThat(admitted(limiter, 2 * THRESHOLD)).hasSize(THRESHOLD);
            awaitLook();

            clock.advance(Duration.ofMillis(limiter.decide(CALL).retryAfterMillis()));
            Eventually.await(
                    "the background to look, at the same time by the clock",
                    () -> limiter.decide(CALL).admitted());
        }
    }

    /** A store that cannot be reached. */
    private static final class Unavailable implements CounterStore {

        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            asked.incrementAndGet();
            return CompletableFuture.failedStage(StoreException.unavailable("nobody is there", null));
        }

        @Override
        public void close() {}
    }
}
