package dev.sluice.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.SlowWork;
import dev.sluice.TestClock;
import java.time.Instant;
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

    @Test
    void hasNoThreadOnceItIsClosed() throws Exception {
        SlowWork work = new SlowWork();
        Thread test = Thread.currentThread();
        CoarseClock clock = CoarseClock.following(() -> {
            if (Thread.currentThread() != test) {
                work.run();
            }
            return Instant.EPOCH;
        });
        work.assertIsWaitedForBy(clock);
    }
}
