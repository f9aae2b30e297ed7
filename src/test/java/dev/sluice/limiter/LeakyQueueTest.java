package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A leaky bucket with a queue: calls wait for their turn. */
class LeakyQueueTest extends AlgorithmContract {

    /** One that lets as many wait as go on in a period, but for the one that goes on at once. */
    @Override
    Limit limit(long threshold, Duration period) {
        return threshold == 1
                ? new Limit.LeakyBucket(1, period, 1, Duration.ZERO)
                : new Limit.LeakyBucket(threshold, period, threshold - 1, period);
    }

    @Override
    Books books(Limit limit) {
        return new TokenBucketTest.LevelBooks(limit, limit.capacity());
    }

    @Override
    void checkSpans(Limit limit, List<Admitted> admitted) {
        TokenBucketTest.checkFlow(limit, limit.capacity(), admitted);
    }

    private static long delay(Decision decision) {
        return Objects.requireNonNull(decision.ticket(), "a ticket").delayMillis();
    }

    @Example
    void letsCallsGoOnAtAnEvenPace() {
        try (Tested tested = Tested.of(new Limit.LeakyBucket(60, MINUTE, 3, MINUTE))) {
            assertThat(delay(tested.call(1))).isZero();
            assertThat(delay(tested.call(1))).isEqualTo(1_000);
            assertThat(delay(tested.call(1))).isEqualTo(2_000);
            tested.clock.advance(Duration.ofMillis(300));
            assertThat(delay(tested.call(1))).isEqualTo(2_700);
            assertThat(tested.call(1).admitted()).isFalse();
            assertThat(tested.call(1).retryAfterMillis()).isEqualTo(700);
        }
    }

    @Example
    void letsNobodyWaitLongerThanIsSaid() {
        try (Tested tested = Tested.of(new Limit.LeakyBucket(60, MINUTE, 30, Duration.ofMillis(2_500)))) {
            assertThat(tested.exhaust(100)).isEqualTo(3);
        }
    }

    @Property(tries = 200)
    void neverLetsTwoGoOnTooSoonAfterEachOther(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        List<Long> onward = new ArrayList<>();
        try (Tested tested = Tested.of(limit)) {
            for (Step step : traffic) {
                tested.clock.advance(Duration.ofMillis(Math.round(step.gap() * periodOf(limit))));
                Decision decision = tested.call(1);
                if (decision.admitted()) {
                    assertThat(delay(decision)).isBetween(0L, periodOf(limit));
                    onward.add(tested.clock.millis() + delay(decision));
                }
            }
        }
        for (int i = 1; i < onward.size(); i++) {
            assertThat(onward.get(i) - onward.get(i - 1)).isGreaterThanOrEqualTo(periodOf(limit) / limit.threshold());
        }
    }
}
