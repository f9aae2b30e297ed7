package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExchangeTimesTest {

    private static final long MILLI = 1_000_000;

    private final ExchangeTimes times = new ExchangeTimes();
    private long now;

    private void took(int samples, long... millis) {
        for (int i = 0; i < samples; i++) {
            now += 1_000 * MILLI;
            times.add(millis[i % millis.length] * MILLI, now);
        }
    }

    private double usualMillis() {
        return times.usualNanos(now) / 1e6;
    }

    @Test
    void isUnknownBeforeEightSamples() {
        took(7, 40);
        assertThat(usualMillis()).isZero();
        took(1, 40);
        assertThat(usualMillis()).isGreaterThan(40);
    }

    @Test
    void ofASteadyStoreIsHardlyMoreThanItTakes() {
        took(40, 40);
        assertThat(usualMillis()).isBetween(40.0, 41.0);
    }

    @Test
    void ofAnUnsteadyStoreLeavesFourDeviations() {
        took(80, 20, 60);
        assertThat(usualMillis()).isBetween(100.0, 140.0);
    }

    @Test
    void followsAStoreThatGrowsSlow() {
        took(20, 1);
        took(30, 300);
        assertThat(usualMillis()).isBetween(300.0, 400.0);
    }

    @Test
    void forgetsWhatWasLongAgo() {
        took(20, 300);
        now += 60_001 * MILLI;
        assertThat(usualMillis()).isZero();
        took(7, 1);
        assertThat(usualMillis()).isZero();
        took(20, 1);
        assertThat(usualMillis()).isBetween(1.0, 2.0);
    }
}
