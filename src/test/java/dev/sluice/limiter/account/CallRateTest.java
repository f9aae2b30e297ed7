package dev.sluice.limiter.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limiter.account.Pace.CallRate;
import org.junit.jupiter.api.Test;

class CallRateTest {

    private final CallRate none = CallRate.none(1_000, 0);

    @Test
    void countsTheCallsOfTheLastInterval() {
        assertThat(none.plus(10, 100).plus(5, 900).recent(900)).isEqualTo(15);
    }

    @Test
    void theIntervalBeforeFadesAway() {
        CallRate rate = none.plus(10, 100);
        assertThat(rate.recent(999)).isEqualTo(10);
        assertThat(rate.recent(1_000)).isEqualTo(10);
        assertThat(rate.recent(1_500)).isEqualTo(5);
        assertThat(rate.recent(2_000)).isZero();
        assertThat(rate.recent(2_500)).isZero();
    }

    @Test
    void callsOfTwoIntervalsCountTogether() {
        assertThat(none.plus(10, 100).plus(3, 1_500).recent(1_500)).isEqualTo(3 + 5);
    }

    @Test
    void afterALongRestNothingIsLeft() {
        CallRate rate = none.plus(10, 100);
        assertThat(rate.recent(50_000)).isZero();
        assertThat(rate.plus(3, 50_100).recent(50_100)).isEqualTo(3);
    }

    @Test
    void whatIsGivenBackIsNoCall() {
        assertThat(none.plus(10, 100).plus(-4, 200).recent(300)).isEqualTo(10);
    }

    @Test
    void aClockThatStepsBackBeginsAnew() {
        assertThat(none.plus(10, 500).recent(-10)).isZero();
    }
}
