package dev.sluice.limiter;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch;
import dev.sluice.CounterStore;
import dev.sluice.Decision;
import dev.sluice.Limit;
import dev.sluice.RateLimitListener;
import dev.sluice.StoreException;
import dev.sluice.Sync;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While the store is away an instance goes on by itself, and every algorithm recovers as it would alone. */
@Timeout(60)
class AbsentStoreTest {

    private static final TestCall CALL = TestCall.get("/a").of("acme");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int THRESHOLD = 20;

    private final TestClock clock = new TestClock(1_627_318_800_000L);

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit.FixedWindow(THRESHOLD, MINUTE),
                new Limit.SlidingWindow(THRESHOLD, MINUTE, 1),
                new Limit.SlidingWindow(THRESHOLD, MINUTE, 4),
                new Limit.SlidingLog(THRESHOLD, MINUTE),
                new Limit.TokenBucket(THRESHOLD, MINUTE, THRESHOLD),
                new Limit.Concurrency(THRESHOLD, Limit.Concurrency.Scope.FLEET));
    }

    /** Calls until so many were admitted and the next is refused; between two refusals so much time passes. */
    private List<Decision> admitted(CountingRateLimiter limiter, int atLeast, Duration pace) {
        List<Decision> admitted = new ArrayList<>();
        while (!Thread.currentThread().isInterrupted()) {
            Decision decision = limiter.decide(CALL);
            if (decision.admitted()) {
                admitted.add(decision);
            } else if (admitted.size() >= atLeast) {
                return admitted;
            } else {
                clock.advance(pace);
                Thread.onSpinWait();
            }
        }
        throw new IllegalStateException("interrupted after " + admitted.size());
    }

    @ParameterizedTest
    @MethodSource("limits")
    void theLimitHoldsHereAndComesBackWithTime(Limit limit) {
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofMillis(50), 0.01, false));
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                TestLimits.of(endpoint("e", "/a", tier)), clock, RateLimitListener.NONE, new Away(), "i")) {
            List<Decision> first = admitted(limiter, THRESHOLD, Duration.ZERO);
            assertThat(first).hasSize(THRESHOLD);

            first.stream().map(Decision::ticket).filter(Objects::nonNull).forEach(ticket -> ticket.ended(200));

            assertThat(admitted(limiter, THRESHOLD, Duration.ofMillis(1))).hasSizeGreaterThanOrEqualTo(THRESHOLD);
        }
    }

    /** A store that cannot be reached. */
    private static final class Away implements CounterStore {

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return CompletableFuture.failedStage(StoreException.unavailable("nobody is there", null));
        }

        @Override
        public void close() {}
    }
}
