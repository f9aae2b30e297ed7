package dev.sluice.internal.limiter.simulation;

import dev.sluice.Decision;
import dev.sluice.TestLimits;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit.FixedWindow;
import dev.sluice.tier.Sync;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Callers who are limited in two regions, {@code A} and {@code B}. In each window a caller makes so many calls, at
 * random moments. None comes in the first or last moments of a window, so it is certain in which window a call counts.
 *
 * @param limit what a caller may do in both regions together
 * @param times how often a caller calls, as a part of the limit
 * @param timeout how long a call waits for other instances ({@code sync.timeout})
 * @param isCut whether region B is cut off from the store for a period
 */
record RegionScene(Layout layout, Habit habit, FixedWindow limit, double times, Duration timeout, boolean isCut) {

    private static final int INSTANCES = 3;
    /** Calls are made from so long after the begin of a window until so long before its end. */
    private static final long FIRST_MILLIS = 200;

    private static final long LAST_MILLIS = 1_300;

    private static final int WINDOWS = 3;
    static final int CUT_WINDOW = 1;
    private static final int CALLERS = 20;
    private static final int MOST_CALLS_AT_ONCE = 2_000;

    /** Where the stores are. */
    sealed interface Layout {

        /** One store in region A. An exchange takes a millisecond there, and so long from region B. */
        record OneStore(long farMillis) implements Layout {}

        /** A store in each region, which has so much of each limit. */
        record StoreEach(String regionShare) implements Layout {}
    }

    /** Which region a caller calls. */
    enum Habit {
        A,
        B,
        /** Either, at random. */
        BOTH,
        /** One of them in the first half of a window, and the other one in the second half. */
        MOVES;

        private boolean isFar(Random random, double partOfWindow) {
            return switch (this) {
                case A -> false;
                case B -> true;
                case BOTH -> random.nextBoolean();
                case MOVES -> partOfWindow >= 0.5;
            };
        }
    }

    /** The instances of one region. */
    private record Region(SimulatedFleet fleet, List<SimulatedInstance> instances) {}

    /** A scene with three instances in each region, and defaults for everything else. */
    static RegionScene of(Layout layout, Habit habit, FixedWindow limit, double times) {
        return new RegionScene(layout, habit, limit, times, SharingOptions.DEFAULT.timeout(), false);
    }

    RegionScene waiting(Duration otherTimeout) {
        return new RegionScene(layout, habit, limit, times, otherTimeout, isCut);
    }

    RegionScene cut() {
        return new RegionScene(layout, habit, limit, times, timeout, true);
    }

    long callsInAWindow() {
        return Math.round(times * limit.threshold());
    }

    int callers() {
        return (int) Math.max(1, Math.min(CALLERS, MOST_CALLS_AT_ONCE / limit.threshold()));
    }

    RegionResult play() {
        List<SimulatedFleet> fleets = fleets();
        try {
            SimulatedFleet near = fleets.get(0);
            SimulatedFleet far = fleets.get(fleets.size() - 1);
            int all = far.instances.size();
            List<Region> regions = List.of(
                    new Region(near, near.instances.subList(0, INSTANCES)),
                    new Region(far, far.instances.subList(all - INSTANCES, all)));
            RegionResult result = new RegionResult(this, callers() * WINDOWS);
            Random random = new Random(1);
            for (int window = 0; window < WINDOWS; window++) {
                for (int caller = 0; caller < callers(); caller++) {
                    schedule(window, caller, regions, random, result);
                }
            }
            if (isCut) {
                cutOff(regions.get(1));
            }
            long millis = (WINDOWS + 1) * limit.period().toMillis();
            fleets.forEach(fleet -> fleet.pass(millis));
            return result;
        } finally {
            fleets.forEach(SimulatedFleet::close);
        }
    }

    private List<SimulatedFleet> fleets() {
        if (layout instanceof Layout.OneStore one) {
            SimulatedFleet fleet = new SimulatedFleet(2 * INSTANCES, limits(limit), true);
            for (SimulatedInstance far : fleet.instances.subList(INSTANCES, fleet.instances.size())) {
                far.link.roundTripNanos = () -> one.farMillis * SimulatedFleet.MILLI;
            }
            return List.of(fleet);
        }
        BigDecimal regionShare = new BigDecimal(((Layout.StoreEach) layout).regionShare);
        Limits limits = limits((FixedWindow) limit.times(regionShare));
        return List.of(new SimulatedFleet(INSTANCES, limits, true), new SimulatedFleet(INSTANCES, limits, true));
    }

    private Limits limits(FixedWindow each) {
        return TestLimits.sharing(
                new SharingOptions(SharingOptions.OnFailure.SHARE, timeout),
                FleetSimulation.limits(List.of(List.of(each)), Sync.DEFAULT));
    }

    private void schedule(int window, int caller, List<Region> regions, Random random, RegionResult result) {
        long periodMillis = limit.period().toMillis();
        long beginMillis = (window + 1) * periodMillis; // instances know the store's time by then
        for (long call = 0; call < callsInAWindow(); call++) {
            double part = random.nextDouble();
            Region region = regions.get(habit.isFar(random, part) ? 1 : 0);
            SimulatedInstance instance = region.instances.get(random.nextInt(region.instances.size()));
            double millis = beginMillis + FIRST_MILLIS + part * (periodMillis - FIRST_MILLIS - LAST_MILLIS);
            region.fleet.loop.in(
                    1 + (long) (millis * SimulatedFleet.MILLI),
                    () -> call(region.fleet, instance, window * callers() + caller, caller, result));
        }
    }

    private static void call(
            SimulatedFleet fleet, SimulatedInstance instance, int window, int caller, RegionResult result) {
        long came = fleet.loop.nanos();
        Decision decision = instance.decide(FleetSimulation.call("caller-" + caller, 1));
        result.add(window, new RegionResult.Decided(came, fleet.loop.nanos(), decision.admitted()));
    }

    /** From a quarter of {@link #CUT_WINDOW} until a quarter of the next one. */
    private void cutOff(Region region) {
        long periodMillis = limit.period().toMillis();
        long beginMillis = (CUT_WINDOW + 1) * periodMillis + periodMillis / 4;
        region.fleet.loop.in(
                beginMillis * SimulatedFleet.MILLI, () -> region.instances.forEach(instance -> instance.link.cut()));
        region.fleet.loop.in(
                (beginMillis + periodMillis) * SimulatedFleet.MILLI,
                () -> region.instances.forEach(instance -> instance.link.mend()));
    }
}
