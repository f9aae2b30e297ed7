package dev.sluice.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CoarseClockTest {

    @Test
    void followsTheClockUntilItIsClosed() {
        TestClock exact = new TestClock(1_000);
        CoarseClock clock = CoarseClock.following(exact);
        assertThat(clock.millis()).isEqualTo(1_000);
        exact.set(5_000);
        Eventually.await("the clock's new time", () -> clock.millis() == 5_000);
        assertThat(clock.instant().toEpochMilli()).isEqualTo(5_000);
        clock.close();
    }
}
