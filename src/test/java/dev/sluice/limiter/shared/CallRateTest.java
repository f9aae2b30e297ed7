package dev.sluice.limiter.shared;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallRateTest {

    private final CallRate rate = new CallRate(1_000, 0);

    @Test
    void countsTheCallsOfTheLastInterval() {
        rate.add(10, 100);
        rate.add(5, 900);
        assertThat(rate.recent(900)).isEqualTo(15);
    }

    @Test
    void theIntervalBeforeFadesAway() {
        rate.add(10, 100);
        assertThat(rate.recent(1_000)).isEqualTo(10);
        assertThat(rate.recent(1_500)).isEqualTo(5);
        assertThat(rate.recent(2_000)).isZero();
    }

    @Test
    void afterALongRestNothingIsLeft() {
        rate.add(10, 100);
        assertThat(rate.recent(50_000)).isZero();
        rate.add(3, 50_100);
        assertThat(rate.recent(50_100)).isEqualTo(3);
    }

    @Test
    void whatIsGivenBackIsNoCall() {
        rate.add(10, 100);
        rate.add(-4, 200);
        assertThat(rate.recent(300)).isEqualTo(10);
    }

    @Test
    void aClockThatStepsBackBeginsAnew() {
        rate.add(10, 500);
        assertThat(rate.recent(-10)).isZero();
    }
}
