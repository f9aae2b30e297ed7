package dev.sluice.internal.limiter.algorithm;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClosedWindowTest {

    private static final TestCall CALL = TestCall.get("/a").of("acme");

    /** The background closes a window a little after its end; if the clock steps back then, the next one serves. */
    @Test
    @Timeout(value = 20, threadMode = SEPARATE_THREAD)
    void isFollowedByTheNextOneAlsoIfTheClockStepsBack() {
        TestClock clock = new TestClock(1_627_318_780_000L);
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(
                TestLimits.of(endpoint("e", "/a", perMinute(2))), clock, new InMemoryCounterStore(clock, 1_000), 1)) {
            pass(fleet, clock, 19_900);
            assertThat(fleet.decide(0, CALL).admitted()).isTrue();
            pass(fleet, clock, 500);
            clock.advance(Duration.ofMillis(-600));

            assertThat(fleet.decide(0, CALL).admitted()).isTrue();
            pass(fleet, clock, 1_000);
            assertThat(fleet.decide(0, CALL).admitted()).isTrue();
            assertThat(fleet.decide(0, CALL).admitted()).isFalse();
        }
    }

    private static void pass(VirtualTimeFleet fleet, TestClock clock, long millis) {
        for (long end = clock.millis() + millis; clock.millis() < end; fleet.step()) {
            clock.advance(Duration.ofMillis(10));
        }
    }
}
