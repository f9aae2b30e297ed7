package dev.sluice.internal.limiter.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An instance stands still while it holds permits, and the store gives them to another one when its lease is over. */
class StoppedHolderTest {

    private static final int THRESHOLD = 100;

    @ParameterizedTest
    @ValueSource(longs = {3_000, 4_900, 5_500, 8_000, 60_000})
    void takesNoneOfThemWhenItGoesOn(long stoppedMillis) {
        AtomicInteger admitted = new AtomicInteger();
        try (SimulatedFleet fleet = new SimulatedFleet(
                2,
                FleetSimulation.limits(
                        List.of(List.of(CallPattern.window(THRESHOLD, "PT1H"))),
                        new Sync(Duration.ofSeconds(1), 0, false)),
                true)) {
            SimulatedInstance holder = fleet.instances.get(0);
            SimulatedInstance other = fleet.instances.get(1);
            fleet.pass(1_000);
            calls(fleet, holder, 60, 20, admitted);
            fleet.pass(1_250);
            long untold = admitted.get() - told(holder);

            long stopped = stoppedMillis * SimulatedFleet.MILLI;
            holder.stallLoop(stopped + 5 * SimulatedFleet.MILLI); // calls go on first
            holder.stallCalls(stopped);
            holder.link.stall(stopped);
            fleet.pass(stoppedMillis - 200);
            calls(fleet, other, 80, 1, admitted);
            fleet.pass(200);
            calls(fleet, holder, 80, 0, admitted);
            fleet.pass(5_000);

            assertThat(admitted.get()).isBetween(THRESHOLD, (int) (THRESHOLD + untold));
        }
    }

    private static void calls(
            SimulatedFleet fleet, SimulatedInstance instance, int number, long everyMillis, AtomicInteger admitted) {
        for (int i = 0; i < number; i++) {
            fleet.loop.in(i * everyMillis * SimulatedFleet.MILLI, () -> {
                if (instance.decide(FleetSimulation.call("acme", 1)).admitted()) {
                    admitted.incrementAndGet();
                }
            });
        }
    }

    private static long told(SimulatedInstance instance) {
        return instance.link.told.values().stream().mapToLong(used -> used).sum();
    }
}
