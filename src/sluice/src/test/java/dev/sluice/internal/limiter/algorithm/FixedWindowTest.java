package dev.sluice.internal.limiter.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Example;

class FixedWindowTest extends AlgorithmContract {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.FixedWindow(threshold, period);
    }

    @Override
    public Limit largest() {
        return new Limit.FixedWindow(Limit.MAX_THRESHOLD, Limit.MAX_PERIOD);
    }

    @Override
    public LimitModel books(Limit limit) {
        long period = periodOf(limit);
        return new ExactLog() {
            @Override
            public long left(long nowMillis) {
                long start = Math.floorDiv(nowMillis, period) * period;
                return limit.threshold() - between(start, start + period);
            }
        };
    }

    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        Map<Long, Long> windows = admitted.stream()
                .collect(Collectors.groupingBy(
                        one -> Math.floorDiv(one.atMillis(), periodOf(limit)), Collectors.summingLong(Admitted::cost)));
        assertThat(windows.values()).allMatch(sum -> sum <= limit.threshold());
        assertThat(ExactLog.mostInAnySpan(admitted, periodOf(limit))).isLessThanOrEqualTo(2 * limit.threshold());
    }

    @Example
    void letsTwiceTheThresholdPassAroundABoundary() {
        try (Tested tested = Tested.of(limit(100, MINUTE))) {
            tested.at(START + 59_999);
            assertThat(tested.exhaust(1_000)).isEqualTo(100);
            tested.at(START + 60_000);
            assertThat(tested.exhaust(1_000)).isEqualTo(100);
        }
    }
}
