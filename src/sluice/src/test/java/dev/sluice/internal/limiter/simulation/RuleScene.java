package dev.sluice.internal.limiter.simulation;

import static dev.sluice.internal.limiter.simulation.CallPattern.window;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.FixedWindow;
import dev.sluice.tier.Sync;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * New callers, one after the other, whose calls go to random instances of a fleet that calls of others have settled
 * before. The scenes show what single rules of counting together are good for: play them with a rule and without it.
 *
 * @param calls how many calls of cost 1 a caller makes
 * @param everyMillis the pause between them; 0 for all at once
 * @param dearCost what the dear calls in between cost; they come at random moments before the limit is used up
 * @param dearCalls how many of those a caller makes
 * @param bursts how often a caller makes all of these calls, with pauses between
 * @param settlingSeconds for how long other callers have called each instance before; without, the fleet has just
 *     started
 */
record RuleScene(
        int instances,
        FixedWindow limit,
        Sync sync,
        int callers,
        int calls,
        double everyMillis,
        int dearCost,
        int dearCalls,
        int bursts,
        int settlingSeconds) {

    private static final int SETTLED_SECONDS = 60;
    private static final int SETTLING_CALL_MILLIS = 2_000;
    private static final long CALL_MILLIS = 10;
    private static final long PAUSE_MILLIS = 3_000;

    /** Calls beside which dear ones come, in fleets of several sizes. */
    static Stream<RuleScene> dear() {
        return Stream.of(
                of(8, 1_000).calls(12, 1_100, 10).dear(500, 1),
                of(8, 1_000).calls(12, 1_100, 1).dear(500, 1),
                of(20, 1_000).calls(12, 1_100, 1).dear(500, 1),
                of(8, 2_000).calls(8, 2_200, 1).dear(500, 3),
                of(20, 2_000).calls(8, 2_200, 0.25).dear(500, 3),
                of(100, 1_000).calls(6, 1_100, 1).dear(500, 1));
    }

    /** Some calls of a new caller, or more than the limit lets pass, in large fleets. */
    static Stream<RuleScene> newcomers() {
        return Stream.of(20, 100, 500)
                .flatMap(instances -> Stream.of(
                        of(instances, 1_000).calls(10, 30, 10),
                        of(instances, 1_000).calls(4, 1_200, 1),
                        of(instances, 1_000).calls(4, 1_200, 0),
                        of(instances, 10_000).calls(2, 11_000, 0.3)));
    }

    /** The same callers call again after a pause, until the limit is used up. */
    static Stream<RuleScene> returning() {
        return Stream.of(100, 500)
                .flatMap(instances -> Stream.of(
                        of(instances, 1_000).calls(4, 450, 1).bursts(3),
                        of(instances, 1_000).calls(4, 450, 0).bursts(3),
                        of(instances, 1_000).calls(4, 900, 1).bursts(2)));
    }

    /** All of these where the fleet is settled, where it has just started, and without slack. */
    static Stream<RuleScene> all() {
        return Stream.of(dear(), newcomers(), returning())
                .flatMap(scenes -> scenes)
                .flatMap(scene -> Stream.of(scene, scene.justStarted(), scene.withoutSlack()));
    }

    static RuleScene of(int instances, long threshold) {
        return new RuleScene(instances, window(threshold, "PT1H"), Sync.DEFAULT, 1, 0, 0, 0, 0, 1, SETTLED_SECONDS);
    }

    RuleScene calls(int manyCallers, int manyCalls, double every) {
        return new RuleScene(
                instances, limit, sync, manyCallers, manyCalls, every, dearCost, dearCalls, bursts, settlingSeconds);
    }

    RuleScene dear(int cost, int many) {
        return new RuleScene(instances, limit, sync, callers, calls, everyMillis, cost, many, bursts, settlingSeconds);
    }

    RuleScene bursts(int many) {
        return new RuleScene(
                instances, limit, sync, callers, calls, everyMillis, dearCost, dearCalls, many, settlingSeconds);
    }

    RuleScene justStarted() {
        return new RuleScene(instances, limit, sync, callers, calls, everyMillis, dearCost, dearCalls, bursts, 0);
    }

    RuleScene withoutSlack() {
        return new RuleScene(
                instances,
                limit,
                FleetSimulationTable.NO_SLACK,
                callers,
                calls,
                everyMillis,
                dearCost,
                dearCalls,
                bursts,
                settlingSeconds);
    }

    private String name() {
        return "%d/1h, %d is%s%s: %s%d, %s ms%s"
                .formatted(
                        limit.threshold(),
                        instances,
                        settlingSeconds == 0 ? ", new" : "",
                        sync.slackOf(limit.threshold()) == 0 ? ", no slack" : "",
                        bursts == 1 ? "" : bursts + " x ",
                        calls,
                        everyMillis,
                        dearCalls == 0 ? "" : " + %d of %d".formatted(dearCalls, dearCost));
    }

    SimulationResult play() {
        List<Limit> limits = List.of(limit);
        Random random = new Random(7);
        try (SimulatedFleet fleet =
                new SimulatedFleet(instances, FleetSimulation.limits(List.of(limits), sync), true)) {
            settle(fleet);
            SimulationResult.Builder result = new SimulationResult.Builder(name(), fleet);
            for (int caller = 0; caller < callers; caller++) {
                CallerLedger ledger = new CallerLedger(fleet, limits, sync);
                for (int burst = 0; burst < bursts; burst++) {
                    offer(fleet, ledger, "caller-" + caller, random);
                    fleet.pass((long) (calls * everyMillis) + PAUSE_MILLIS);
                }
                result.add(ledger);
            }
            return result.build();
        }
    }

    /** Each instance has a caller of its own, so that it has counters and hears from the store. */
    private void settle(SimulatedFleet fleet) {
        fleet.pass(1_000);
        for (int passed = 0; passed < settlingSeconds * 1_000; passed += SETTLING_CALL_MILLIS) {
            for (SimulatedInstance instance : fleet.instances) {
                fleet.loop.in(0, () -> {
                    var unused = instance.decide(FleetSimulation.call("settling-" + instance.name, 1));
                });
            }
            fleet.pass(SETTLING_CALL_MILLIS);
        }
        fleet.pass(settlingSeconds == 0 ? 0 : PAUSE_MILLIS);
    }

    private void offer(SimulatedFleet fleet, CallerLedger ledger, String caller, Random random) {
        for (int call = 0; call < calls; call++) {
            offer(fleet, ledger, caller, 1, call * everyMillis, random);
        }
        for (int call = 0; call < dearCalls; call++) {
            double moment = (limit.threshold() - (double) dearCost * dearCalls) * (0.1 + 0.85 * random.nextDouble());
            offer(fleet, ledger, caller, dearCost, moment * everyMillis, random);
        }
    }

    private void offer(
            SimulatedFleet fleet, CallerLedger ledger, String caller, int cost, double laterMillis, Random random) {
        SimulatedInstance instance = fleet.instances.get(random.nextInt(instances));
        fleet.loop.in((long) (laterMillis * SimulatedFleet.MILLI), () -> {
            if (!ledger.isAtAnEdge(FleetSimulation.EDGE_MILLIS)) {
                var unused = ledger.call(instance, FleetSimulation.call(caller, cost), cost, CALL_MILLIS);
            }
        });
    }
}
