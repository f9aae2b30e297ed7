package dev.sluice.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
        while (clock.millis() != 5_000) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // the timeout ends it
        }
        assertThat(clock.instant().toEpochMilli()).isEqualTo(5_000);
        clock.close();
    }
}
