package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.USUAL;
import static dev.sluice.internal.limiter.account.Timeline.moment;
import static dev.sluice.internal.limiter.account.Timeline.terms;
import static dev.sluice.internal.limiter.account.Timeline.window;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallRateTest {

    private static final Terms TERMS = terms(window(1_000), USUAL);

    private final Pace none = Pace.opened(null, moment(0));

    private static Pace plus(Pace before, long calls, long atMillis) {
        Totals totals = new Totals(before.usedSeen() + calls, 0, 0, 0, false, false, false, false, 1);
        return before.updated(TERMS, totals, false, moment(atMillis));
    }

    private static double recent(Pace pace, long atMillis) {
        return pace.rate(TERMS, moment(atMillis));
    }

    @Test
    void countsTheCallsOfTheLastInterval() {
        assertThat(recent(plus(plus(none, 10, 100), 5, 900), 900)).isEqualTo(15);
    }

    @Test
    void theIntervalBeforeFadesAway() {
        Pace rate = plus(none, 10, 100);
        assertThat(recent(rate, 999)).isEqualTo(10);
        assertThat(recent(rate, 1_000)).isEqualTo(10);
        assertThat(recent(rate, 1_500)).isEqualTo(5);
        assertThat(recent(rate, 2_000)).isZero();
        assertThat(recent(rate, 2_500)).isZero();
    }

    @Test
    void callsOfTwoIntervalsCountTogether() {
        assertThat(recent(plus(plus(none, 10, 100), 3, 1_500), 1_500)).isEqualTo(3 + 5);
    }

    @Test
    void afterALongPauseNothingIsLeft() {
        Pace rate = plus(none, 10, 100);
        assertThat(recent(rate, 50_000)).isZero();
        assertThat(recent(plus(rate, 3, 50_100), 50_100)).isEqualTo(3);
    }

    @Test
    void returnsAreNoCalls() {
        assertThat(recent(plus(plus(none, 10, 100), -4, 200), 300)).isEqualTo(10);
    }

    @Test
    void aClockStepBackStartsOver() {
        assertThat(recent(plus(none, 10, 500), -10)).isZero();
    }
}
