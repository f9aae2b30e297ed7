package dev.sluice.internal.limiter.simulation;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Plays calls to a fleet in virtual time, 1 ms from the store, and compares each decision with what the limits allow.
 */
public final class FleetSimulation {

    /** No call is made within this time of a window's end, so that it is certain in which window a call counts. */
    static final long EDGE_MILLIS = 20;
    /** The same where a call may be decided later by a stall. */
    private static final long LATE_EDGE_MILLIS = EDGE_MILLIS + Mishaps.LONGEST_STALL_MILLIS;

    private static final long SEED = 42;
    private static final long MOST_CALL_MILLIS = 80;
    private static final long SETTLING_MILLIS = 2_500;

    private final CallPattern pattern;
    private final SimulatedFleet fleet;
    private final Random random = new Random(SEED);
    private final Sync sync;
    private final long edgeMillis;

    private FleetSimulation(CallPattern pattern, Sync sync, boolean pushes, Mishap mishap) {
        this.pattern = pattern;
        this.fleet = new SimulatedFleet(pattern.instances(), limits(pattern.endpoints(), sync), pushes);
        this.sync = sync;
        boolean stalls = mishap == Mishap.STALLS;
        this.edgeMillis = stalls ? LATE_EDGE_MILLIS : EDGE_MILLIS;
        this.fleet.longestTripMillis += stalls ? 2 * Mishaps.LONGEST_STALL_MILLIS : 0;
    }

    /** Endpoints with these limits, all of which match {@link #call}. */
    public static Limits limits(List<List<Limit>> limits, Sync sync) {
        return limits(limits, sync, Set.of());
    }

    /** The same, where calls count only if they end with one of these statuses; empty for all. */
    public static Limits limits(List<List<Limit>> limits, Sync sync, Set<Integer> countedStatuses) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (List<Limit> ofOne : limits) {
            Tier[] tiers = ofOne.stream()
                    .map(limit -> new Tier("tier-" + ofOne.indexOf(limit), limit, sync))
                    .toArray(Tier[]::new);
            Endpoint api = TestLimits.endpoint("api-" + endpoints.size(), "GET /api/*", tiers);
            endpoints.add(new Endpoint(
                    api.id(),
                    api.methods(),
                    api.pathPatterns().get(0),
                    api.per(),
                    api.mode(),
                    api.when(),
                    countedStatuses,
                    new Cost(
                            "header:X-Cost",
                            call -> Long.parseLong(String.valueOf(call.header("X-Cost"))),
                            Cost.Settling.NONE),
                    api.tiers()));
        }
        return TestLimits.of(endpoints.toArray(Endpoint[]::new));
    }

    public static TestCall call(String caller, long cost) {
        return TestCall.get("/api/x").of(caller).with("X-Cost", String.valueOf(cost));
    }

    /** Plays a pattern by so many callers at most, one after the other; by fewer if each makes many calls. */
    static SimulationResult play(CallPattern pattern, Sync sync, boolean pushes, int mostCallers) {
        return play(pattern, sync, pushes, mostCallers, Mishap.NONE);
    }

    /** The same while something happens to the fleet. */
    static SimulationResult play(CallPattern pattern, Sync sync, boolean pushes, int mostCallers, Mishap mishap) {
        long callers = Math.max(1, Math.min(mostCallers, 10_000 / pattern.size()));
        FleetSimulation simulation = new FleetSimulation(pattern, sync, pushes, mishap);
        try (SimulatedFleet fleet = simulation.fleet) {
            fleet.pass(1_000);
            new Mishaps(fleet, SEED, any -> limits(pattern.endpoints(), sync), any -> {}, any -> {}).begin(mishap);
            SimulationResult.Builder result = new SimulationResult.Builder(pattern.name(), fleet);
            for (int caller = 0; caller < callers; caller++) {
                result.add(simulation.play("caller-" + caller));
            }
            return result.build();
        }
    }

    private CallerLedger play(String caller) {
        CallerLedger ledger = new CallerLedger(fleet, pattern.limits(), sync);
        Decision[] last = new Decision[1];
        for (CallPattern.Burst burst : pattern.bursts()) {
            int first = random.nextInt(pattern.instances());
            for (int call = 0; call < burst.calls(); call++) {
                int instance = pattern.deal().instance(random, first, call, burst.calls(), pattern.instances());
                long cost = 1L + random.nextInt(pattern.mostCost());
                offer(ledger, caller, instance, cost, (long) (call * burst.everyMillis() * SimulatedFleet.MILLI), last);
            }
            fleet.pass((long) Math.ceil(burst.calls() * burst.everyMillis()) + burst.pauseMillis());
        }
        fleet.pass(EDGE_MILLIS);
        if (pattern.retries()) {
            retry(ledger, caller, last[0]);
        }
        fleet.pass(SETTLING_MILLIS);
        return ledger;
    }

    private void offer(CallerLedger ledger, String caller, int instance, long cost, long laterNanos, Decision[] last) {
        long lasts = 1L + random.nextInt((int) MOST_CALL_MILLIS);
        fleet.loop.in(laterNanos, () -> {
            if (!ledger.isAtAnEdge(edgeMillis)) {
                last[0] = ledger.call(fleet.instances.get(instance), call(caller, cost), cost, lasts);
            }
        });
    }

    /** Makes one more call, when the time of {@code Retry-After} has passed since the last refusal. */
    private void retry(CallerLedger ledger, String caller, Decision last) {
        if (last.admitted() && !fleet.pushes) {
            return; // an earlier one was refused, since holders were not told in time
        }
        if (last.admitted()) {
            throw new IllegalStateException("the last call was to be refused: " + pattern.name());
        }
        fleet.pass(1_000 * ((last.retryAfterMillis() + 999) / 1_000));
        long before = ledger.admitted;
        fleet.loop.in(
                0, () -> ledger.call(fleet.instances.get(random.nextInt(pattern.instances())), call(caller, 1), 1, 1));
        fleet.pass(SETTLING_MILLIS);
        if (ledger.admitted == before) {
            ledger.early++;
            ledger.complaints.add("at " + fleet.elapsedMillis() + " ms who called when told was refused");
        }
    }
}
