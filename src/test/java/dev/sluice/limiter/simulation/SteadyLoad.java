package dev.sluice.limiter.simulation;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Calls at random moments to random instances, by many callers under one limit of fixed windows.
 *
 * @param callsASecond of all callers together
 */
record SteadyLoad(String name, int instances, int callers, long threshold, double callsASecond, int windows) {

    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final int TENANTS = 25;

    /** A load of so many times a limit of 1,000 in ten seconds, by 25 tenants. */
    static SteadyLoad times(double times, int instances) {
        double callsASecond = times * 1_000 * TENANTS / PERIOD.toSeconds();
        String name = "1000/10s, %d instances: %s x the limit".formatted(instances, times);
        return new SteadyLoad(name, instances, TENANTS, 1_000, callsASecond, 3);
    }

    /** 2,000 calls a second, by so many callers. */
    static SteadyLoad growth(int callers, int instances) {
        String name = "2000 calls/s, %d instances: %d callers".formatted(instances, callers);
        return new SteadyLoad(name, instances, callers, 1_000, 2_000, 2);
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

    SimulationResult play() {
        Limit limit = new Limit.FixedWindow(threshold, PERIOD);
        List<Limit> limits = List.of(limit);
        try (SimulatedFleet fleet =
                new SimulatedFleet(instances, FleetSimulation.limits(List.of(limits), Sync.DEFAULT), true)) {
            List<CallerLedger> ledgers = Stream.generate(() -> new CallerLedger(fleet, limits, Sync.DEFAULT))
                    .limit(callers)
                    .toList();
            SimulationResult.Builder result = new SimulationResult.Builder(name, fleet);
            long end = fleet.loop.nanos() + windows * PERIOD.toNanos();
            callOn(fleet, new ArrayList<>(ledgers), new Random(1), end);
            fleet.pass(windows * PERIOD.toMillis());
            ledgers.forEach(result::add);
            return result.build();
        }
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
