package dev.sluice.internal.limiter.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;

class SlidingLogTest extends AlgorithmContract {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.SlidingLog(threshold, period);
    }

    @Override
    public Limit largest() {
        return new Limit.SlidingLog(Limit.SlidingLog.MAX_LOGGED, Limit.MAX_PERIOD);
    }

    /** The model is a log too. */
    @Override
    public LimitModel books(Limit limit) {
        return new ExactLog() {
            @Override
            public long left(long nowMillis) {
                return limit.threshold() - between(nowMillis - periodOf(limit) + 1, nowMillis + 1);
            }
        };
    }

    /** It statements to be exact in every span, whatever the clock says. */
    @Override
    public boolean forgetsWhatAWrongClockNoted() {
        return false;
    }

    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        assertThat(ExactLog.mostInAnySpan(admitted, periodOf(limit))).isLessThanOrEqualTo(limit.threshold());
    }
}
