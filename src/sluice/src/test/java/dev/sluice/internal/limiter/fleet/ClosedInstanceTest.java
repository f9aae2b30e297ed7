package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An instance closes while calls of a {@code concurrency} limit are in flight: it is restarted, say. */
class ClosedInstanceTest {

    private static final int SLOTS = 4;

    private final SimulatedFleet fleet =
            new SimulatedFleet(2, FleetSimulation.limits(List.of(List.of(slots(SLOTS))), Sync.DEFAULT), true);
    private final List<Decision> inFlight = new ArrayList<>();
    private final List<Long> admittedAt = new ArrayList<>();

    @AfterEach
    void end() {
        fleet.close();
    }

    private void at(long millis, Runnable action) {
        fleet.loop.at(SimulatedFleet.START_NANOS + millis * SimulatedFleet.MILLI, action);
    }

    private void begins() {
        inFlight.add(fleet.instances.get(0).decide(FleetSimulation.call("acme", 1)));
    }

    private void oneEnds() {
        Objects.requireNonNull(inFlight.remove(0).ticket()).ended(200);
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
    void freesTheSlotsOfCallsThatHaveEndedAndKeepsOthersForALease() {
        for (int call = 0; call < SLOTS - 1; call++) {
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

    /** Whether they waited for the store, or for permits that the other instance holds. */
    @ParameterizedTest
    @MethodSource("policiesAndLimits")
    void decidesWaitingCallsAsItCloses(OnFailure policy, Limit limit) {
        Limits denying = TestLimits.sharing(
                new SharingOptions(policy, Duration.ofMillis(250)),
                TestLimits.of(TestLimits.endpoint("e", "/a", new Tier("t", limit, Sync.DEFAULT))));
        try (SimulatedFleet closing = new SimulatedFleet(1, denying, true)) {
            SimulatedInstance instance = closing.instances.get(0);
            List<Long> waited = new ArrayList<>();
            closing.loop.in(1_000 * SimulatedFleet.MILLI, () -> instance.link.stall(5_000 * SimulatedFleet.MILLI));
            for (int call = 0; call < 4; call++) {
                closing.loop.in((1_001 + call) * SimulatedFleet.MILLI, () -> {
                    long began = closing.elapsedMillis();
                    instance.decide(TestCall.get("/a").of("acme"));
                    waited.add(closing.elapsedMillis() - began);
                });
            }
            closing.loop.in(1_010 * SimulatedFleet.MILLI, instance.limiter::close);
            closing.pass(10_000);
            assertThat(waited).hasSize(4).allMatch(millis -> millis <= 250);
        }
    }

    static Stream<Arguments> policiesAndLimits() {
        return Stream.of(OnFailure.values())
                .flatMap(policy -> TestLimits.ofEachAlgorithm(3, Duration.ofHours(1)).stream()
                        .map(limit -> Arguments.of(policy, limit)));
    }
}
