package dev.sluice.internal.limiter.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances that count together begin a new window at midnight in the zone. */
class CalendarFleetTest {

    /** In this zone, the simulation begins ten seconds before midnight. */
    private static final ZoneId ZONE = ZoneId.of("+06:59:50");

    private static final long MIDNIGHT_MILLIS = 10_000;
    private static final int THRESHOLD = 60;

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 1", "false, 3", "true, 3"})
    void admitTheLimitBeforeMidnightAndAgainAfterIt(boolean strict, int instances) {
        Limit day = new Limit.FixedWindow(THRESHOLD, Windows.every(Unit.DAY, ZONE));
        Sync sync = new Sync(Duration.ofSeconds(1), 0, strict);
        AtomicIntegerArray admitted = new AtomicIntegerArray(2);
        try (SimulatedFleet fleet =
                new SimulatedFleet(instances, FleetSimulation.limits(List.of(List.of(day)), sync, Set.of()), true)) {
            for (int call = 0; call < 400; call++) {
                int of = call % instances;
                fleet.loop.in(50L * call * SimulatedFleet.MILLI, () -> {
                    Decision decision = fleet.instances.get(of).decide(FleetSimulation.call("caller", 1));
                    boolean isBefore = fleet.elapsedMillis() < MIDNIGHT_MILLIS;
                    if (decision.admitted()) {
                        admitted.incrementAndGet(isBefore ? 0 : 1);
                    } else if (isBefore) {
                        assertThat(fleet.elapsedMillis() + decision.retryAfterMillis())
                                .isBetween(MIDNIGHT_MILLIS, MIDNIGHT_MILLIS + 2);
                    }
                });
            }
            fleet.pass(25_000);
        }
        assertThat(admitted.get(0)).isEqualTo(THRESHOLD);
        assertThat(admitted.get(1)).isEqualTo(THRESHOLD);
    }
}
