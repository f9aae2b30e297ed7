package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What instances may admit before the store has answered. */
class SlackTest {

    private static final int INSTANCES = 5;
    private static final long THRESHOLD = 100;
    private static final double SLACK = 0.05;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int FRAMES = 4;

    private static final TestCall CALL = TestCall.get("/a").of("acme");

    /** Slack is for new callers only: it is not allowed again in each frame of a window that is in use. */
    @Test
    void isNotAllowedWhereTheFramesBeforeUseTheLimit() {
        Limit limit = new Limit.SlidingWindow(THRESHOLD, HOUR, FRAMES);
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofSeconds(1), SLACK, false));
        AtomicLong admitted = new AtomicLong();
        try (SimulatedFleet fleet = new SimulatedFleet(INSTANCES, TestLimits.of(endpoint("e", "/a", tier)), true)) {
            for (int frame = 0; frame < FRAMES; frame++) {
                for (SimulatedInstance instance : fleet.instances) {
                    call(fleet, instance, THRESHOLD, admitted);
                }
                fleet.pass(HOUR.toMillis() / FRAMES);
            }
        }
        assertThat(admitted.get()).isBetween(THRESHOLD, THRESHOLD + (long) (INSTANCES * SLACK * THRESHOLD));
    }

    private static void call(SimulatedFleet fleet, SimulatedInstance instance, long calls, AtomicLong admitted) {
        for (long i = 0; i < calls; i++) {
            fleet.loop.in(i * SimulatedFleet.MILLI / 10, () -> {
                if (instance.decide(CALL).admitted()) {
                    admitted.incrementAndGet();
                }
            });
        }
    }
}
