package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.places;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.tier.Sync;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance closes while calls of a {@code concurrency} limit are under way: it is restarted, say. */
class ClosedInstanceTest {

    private static final int PLACES = 4;

    private final SimulatedFleet fleet =
            new SimulatedFleet(2, FleetSimulation.limits(List.of(List.of(places(PLACES))), Sync.DEFAULT), true);
    private final List<Decision> underWay = new ArrayList<>();
    private final List<Long> admittedAt = new ArrayList<>();

    @AfterEach
    void end() {
        fleet.close();
    }

    private void at(long millis, Runnable action) {
        fleet.loop.at(SimulatedFleet.START_NANOS + millis * SimulatedFleet.MILLI, action);
    }

    private void begins() {
        underWay.add(fleet.instances.get(0).decide(FleetSimulation.call("acme", 1)));
    }

    private void oneEnds() {
        Objects.requireNonNull(underWay.remove(0).ticket()).ended(200);
    }

    /** The other instance is called at that moment. */
    private void otherIsCalledAt(long millis) {
        at(millis, () -> {
            if (fleet.instances.get(1).decide(FleetSimulation.call("acme", 1)).admitted()) {
                admittedAt.add(millis);
            }
        });
    }

    @Test
    void freesThePlacesOfCallsThatHaveEndedAndKeepsOthersForALease() {
        for (int call = 0; call < PLACES - 1; call++) {
            at(1_000, this::begins);
        }
        at(1_500, this::oneEnds);
        at(1_500, fleet.instances.get(0).limiter::close);
        at(1_600, this::oneEnds); // too late to be reported
        otherIsCalledAt(2_000); // the one that nobody took
        otherIsCalledAt(2_500); // the one that was free when it closed
        otherIsCalledAt(3_000);
        otherIsCalledAt(6_000);
        otherIsCalledAt(6_600);
        otherIsCalledAt(6_700);
        otherIsCalledAt(6_800);
        fleet.pass(10_000);

        assertThat(admittedAt).containsExactly(2_000L, 2_500L, 6_600L, 6_700L);
    }
}
