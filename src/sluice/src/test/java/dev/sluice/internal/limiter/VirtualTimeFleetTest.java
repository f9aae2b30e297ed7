package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Five minutes of three instances under three times the load that their limit allows. */
class VirtualTimeFleetTest {

    private static final long START = 1_627_318_800_000L;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int THRESHOLD = 600;
    private static final int MINUTES = 5;

    private final TestClock clock = new TestClock(START);
    private final InMemoryCounterStore store = new InMemoryCounterStore(clock, 1_000);

    /** Nobody waits in virtual time, and slots come back only when calls end. */
    static Stream<Limit> limits() {
        return TestLimits.ofEachAlgorithm(THRESHOLD, MINUTE).stream()
                .filter(limit -> !(limit instanceof Limit.Concurrency))
                .filter(limit -> !(limit instanceof Limit.LeakyBucket bucket && bucket.queue() > 0));
    }

    /** When calls were admitted, in milliseconds since the start. */
    private long[] admitted(Limit limit, Sync sync) {
        Limits limits = TestLimits.of(endpoint("e", "/a", new Tier("tier", limit, sync)));
        VirtualTimeFleet fleet = new VirtualTimeFleet(limits, clock, store, 3);
        Random random = new Random(5);
        List<Long> admitted = new ArrayList<>();
        TestCall call = TestCall.get("/a").of("acme");
        for (long milli = 0; milli < MINUTES * MINUTE.toMillis(); milli += 10) {
            clock.set(START + milli);
            for (int instance = 0; instance < 3; instance++) {
                if (random.nextInt(10) == 0 && fleet.decide(instance, call).admitted()) {
                    admitted.add(milli);
                }
            }
            fleet.step();
        }
        fleet.close();
        return admitted.stream().mapToLong(Long::longValue).toArray();
    }

    /** The most calls within any period. */
    private static int worst(long[] times) {
        int worst = 0;
        int first = 0;
        for (int i = 0; i < times.length; i++) {
            while (times[first] <= times[i] - MINUTE.toMillis()) {
                first++;
            }
            worst = Math.max(worst, i - first + 1);
        }
        return worst;
    }

    private static int spanOf(Limit limit) {
        return limit instanceof Limit.SlidingLog
                ? THRESHOLD
                : limit instanceof Limit.TokenBucket bucket ? (int) (THRESHOLD + bucket.burst()) : 2 * THRESHOLD;
    }

    @ParameterizedTest
    @MethodSource("limits")
    void strictAdmitsWhatTheAlgorithmAllows(Limit limit) {
        long[] times = admitted(limit, new Sync(Duration.ofSeconds(1), 0, true));

        assertThat(worst(times)).isLessThanOrEqualTo(spanOf(limit));
        assertThat(times.length).isBetween((int) (MINUTES * THRESHOLD * 0.97), MINUTES * THRESHOLD + THRESHOLD);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void limitsAreUsedUpAndHardlyExceeded(Limit limit) {
        long[] times = admitted(limit, Sync.DEFAULT);

        assertThat(worst(times)).isLessThanOrEqualTo((int) (spanOf(limit) * 1.04));
        assertThat(times.length).isBetween((int) (MINUTES * THRESHOLD * 0.95), MINUTES * THRESHOLD + THRESHOLD);
    }

    /**
     * The answer about a frame arrives just as the frame ends; the next frame must still know of it.
     */
    @Test
    void theLastAnswerAboutAFrameWeighsInTheNext() {
        Limit oneAnHour = new Limit.SlidingWindow(1, Duration.ofHours(1), 4);
        Tier strict = new Tier("tier", oneAnHour, new Sync(Duration.ofSeconds(1), 0, true));
        Duration frame = Duration.ofMinutes(15);
        TestCall call = TestCall.get("/a").of("acme");
        try (VirtualTimeFleet fleet =
                new VirtualTimeFleet(TestLimits.of(endpoint("e", "/a", strict)), clock, store, 1)) {
            assertThat(fleet.decide(0, call).admitted()).isTrue();
            assertThat(fleet.decide(0, call).admitted()).isFalse();
            clock.set(START + frame.toMillis());
            fleet.step();
            clock.set(START + 3 * frame.toMillis() / 2);
            assertThat(fleet.decide(0, call).admitted()).isFalse();
        }
    }
}
