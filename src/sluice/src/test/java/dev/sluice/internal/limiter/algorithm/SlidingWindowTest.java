package dev.sluice.internal.limiter.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;

class SlidingWindowTest extends AlgorithmContract {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.SlidingWindow(threshold, period, 1);
    }

    @Override
    public Limit largest() {
        return limit(Limit.MAX_THRESHOLD, Limit.MAX_PERIOD);
    }

    @Override
    public LimitModel books(Limit limit) {
        Limit.SlidingWindow window = (Limit.SlidingWindow) limit;
        long frame = window.frameMillis();
        return new ExactLog() {
            @Override
            public long left(long nowMillis) {
                long current = Math.floorDiv(nowMillis, frame) * frame;
                long oldest = current - periodOf(limit);
                long whole = between(oldest + frame, current + frame);
                long part = between(oldest, oldest + frame) * (current + frame - nowMillis);
                return Math.max(0, Math.floorDiv((limit.threshold() - whole) * frame - part, frame));
            }
        };
    }

    /**
     * What the estimate guards: no n neighbouring frames have more than the threshold, so no span has more than twice
     * that.
     */
    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        long frame = ((Limit.SlidingWindow) limit).frameMillis();
        for (Admitted one : admitted) {
            long end = (Math.floorDiv(one.atMillis(), frame) + 1) * frame;
            assertThat(admitted.stream()
                            .filter(other -> other.atMillis() < end && other.atMillis() >= end - periodOf(limit))
                            .mapToLong(Admitted::cost)
                            .sum())
                    .isLessThanOrEqualTo(limit.threshold());
        }
        assertThat(ExactLog.mostInAnySpan(admitted, periodOf(limit))).isLessThanOrEqualTo(2 * limit.threshold());
    }

    /** 84 calls in the last hour and 36 in the first quarter of this one: 36 + 84 × 3/4 = 99. */
    @Example
    void estimatesNinetyNine() {
        try (Tested tested = Tested.of(new Limit.SlidingWindow(100, Duration.ofHours(1), 1))) {
            tested.at(START);
            assertThat(tested.exhaust(84)).isEqualTo(84);
            tested.at(START + Duration.ofMinutes(75).toMillis());
            assertThat(tested.call(0).remaining()).isEqualTo(100 - 63);
            assertThat(tested.exhaust(36)).isEqualTo(36);
            assertThat(tested.call(0).remaining()).isEqualTo(1);
            assertThat(tested.exhaust(1_000)).isEqualTo(1);
        }
    }

    /**
     * The past weighs by what the window still covers of it: 12 before and 5 now are 5 + 12 × 3/4 = 14 after a quarter.
     */
    @Example
    void weighsThePastAndNotThePresent() {
        try (Tested tested = Tested.of(new Limit.SlidingWindow(15, MINUTE, 1))) {
            tested.exhaust(12);
            tested.at(START + 75_000);
            assertThat(tested.exhaust(5)).isEqualTo(5);
            assertThat(tested.call(0).remaining()).isEqualTo(15 - 14);
        }
    }
}
