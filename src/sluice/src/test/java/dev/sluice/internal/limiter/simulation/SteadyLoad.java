package dev.sluice.internal.limiter.simulation;

import static dev.sluice.internal.limiter.simulation.CallPattern.window;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.FixedWindow;
import dev.sluice.tier.Sync;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Calls at random moments to random instances, by many callers under one limit of fixed windows.
 *
 * @param callsASecond of all callers together
 * @param isAfterOthers whether the same callers have called for two windows before
 */
record SteadyLoad(
        String name,
        int instances,
        int callers,
        FixedWindow limit,
        double callsASecond,
        int seconds,
        boolean isAfterOthers) {

    private static final int TENANTS = 25;
    private static final int LEAD_SECONDS = 20;

    /** A load of so many times a limit of 1,000 in ten seconds, by 25 tenants. */
    static SteadyLoad times(double times, int instances) {
        double callsASecond = times * 1_000 * TENANTS / 10;
        String name = "1000/10s, %d instances: %s x the limit".formatted(instances, times);
        return new SteadyLoad(name, instances, TENANTS, window(1_000, "PT10S"), callsASecond, 30, false);
    }

    /** 2,000 calls a second, by so many callers. */
    static SteadyLoad growth(int callers, int instances) {
        String name = "2000 calls/s, %d instances: %d callers".formatted(instances, callers);
        return new SteadyLoad(name, instances, callers, window(1_000, "PT10S"), 2_000, 20, false);
    }

    /** 2,000 calls a second, by so many callers that each calls seldom, under a limit that has no slack. */
    static SteadyLoad seldom(int callers, int instances) {
        String name = "2000 calls/s, %d instances: %d callers, 60/1h".formatted(instances, callers);
        return new SteadyLoad(name, instances, callers, window(60, "PT1H"), 2_000, callers / 1_000, false);
    }

    /** Fleets of up to 500 instances: below the limit, above it, and with small limits. */
    static Stream<SteadyLoad> large() {
        return Stream.of(20, 100, 500)
                .flatMap(instances -> Stream.of(
                        times(0.4, instances).afterOthers(),
                        times(2, instances).afterOthers(),
                        ofSmallLimits(instances)));
    }

    /** 2,000 callers at twice a limit of five in ten seconds. */
    static SteadyLoad ofSmallLimits(int instances) {
        String name = "5/10s, %d instances: 2 x the limit".formatted(instances);
        return new SteadyLoad(name, instances, 2_000, window(5, "PT10S"), 2_000, 20, false);
    }

    SteadyLoad afterOthers() {
        return new SteadyLoad(name, instances, callers, limit, callsASecond, seconds, true);
    }

    SteadyLoad during(int otherSeconds) {
        return new SteadyLoad(name, instances, callers, limit, callsASecond, otherSeconds, isAfterOthers);
    }

    static List<SteadyLoad> all() {
        return Stream.of(3, 8)
                .flatMap(instances -> Stream.of(0.4, 0.98, 2.0, 10.0).map(times -> times(times, instances)))
                .toList();
    }

    static List<SteadyLoad> growing() {
        return Stream.of(3, 20)
                .flatMap(instances -> Stream.of(25, 1_000, 10_000).map(callers -> growth(callers, instances)))
                .toList();
    }

    static List<SteadyLoad> calledSeldom() {
        return Stream.of(1, 3, 20)
                .flatMap(instances -> Stream.of(10_000, 100_000).map(callers -> seldom(callers, instances)))
                .toList();
    }

    SimulationResult play() {
        List<Limit> limits = List.of(limit);
        try (SimulatedFleet fleet =
                new SimulatedFleet(instances, FleetSimulation.limits(List.of(limits), Sync.DEFAULT), true)) {
            if (isAfterOthers) {
                callFor(LEAD_SECONDS, fleet, ledgers(fleet, limits), new Random(2));
            }
            List<CallerLedger> ledgers = ledgers(fleet, limits);
            SimulationResult.Builder result = new SimulationResult.Builder(name, fleet);
            callFor(seconds, fleet, ledgers, new Random(1));
            ledgers.forEach(result::add);
            return result.build();
        }
    }

    private List<CallerLedger> ledgers(SimulatedFleet fleet, List<Limit> limits) {
        return Stream.generate(() -> new CallerLedger(fleet, limits, Sync.DEFAULT))
                .limit(callers)
                .toList();
    }

    private void callFor(int time, SimulatedFleet fleet, List<CallerLedger> ledgers, Random random) {
        callOn(fleet, ledgers, random, fleet.loop.nanos() + time * 1_000_000_000L);
        fleet.pass(time * 1_000L);
    }

    /** Schedules the next call; when that is made, it schedules the one after it. */
    private void callOn(SimulatedFleet fleet, List<CallerLedger> ledgers, Random random, long endNanos) {
        double gap = -Math.log(1 - random.nextDouble()) * 1e9 / callsASecond;
        long at = fleet.loop.nanos() + (long) gap;
        if (at < endNanos) {
            fleet.loop.at(at, () -> {
                callOn(fleet, ledgers, random, endNanos);
                int caller = random.nextInt(callers);
                CallerLedger ledger = ledgers.get(caller);
                if (!ledger.isAtAnEdge(FleetSimulation.EDGE_MILLIS)) {
                    SimulatedInstance instance = fleet.instances.get(random.nextInt(instances));
                    var unused = ledger.call(instance, FleetSimulation.call("caller-" + caller, 1), 1, 1);
                }
            });
        }
    }
}
