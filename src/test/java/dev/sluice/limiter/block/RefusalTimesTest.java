package dev.sluice.limiter.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When refusals are enough for a block. */
class RefusalTimesTest {

    private static final long MINUTE = 60_000;

    private final RefusalTimes times = new RefusalTimes(3);

    @Test
    void thoseWithinTheTimeAreEnough() {
        assertThat(times.add(1_000, MINUTE)).isFalse();
        assertThat(times.add(3_000, MINUTE)).isFalse();
        assertThat(times.add(2_000, MINUTE)).as("threads may be late").isTrue();
        assertThat(times.add(4_000, MINUTE)).as("it begins anew").isFalse();
    }

    @Test
    void thoseOfHoursAreNotEnoughAfterTheClockSteppedBack() {
        long hour = 60 * MINUTE;
        assertThat(times.add(10 * hour, MINUTE)).isFalse();
        assertThat(times.add(11 * hour, MINUTE)).isFalse();
        assertThat(times.add(hour, MINUTE)).isFalse();
        assertThat(times.add(hour + 1, MINUTE)).isFalse();
        assertThat(times.add(hour + 2, MINUTE)).isTrue();
    }
}
