package dev.sluice.benchmarks.fleet.growth;

import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** A scene with a given number of callers and instances. Each call's caller, instance and time are uniformly random. */
record GrowthScene(int instances, int callers) {

    static final int CALLS_PER_SECOND = 2_000;
    private static final long SEED = 42;

    /** All scenes, in order of the number of callers. */
    static List<GrowthScene> all() {
        List<GrowthScene> all = new ArrayList<>();
        for (int instances : new int[] {3, 20}) {
            for (int callers : new int[] {25, 1_000, 10_000, 100_000}) {
                all.add(new GrowthScene(instances, callers));
            }
        }
        return all;
    }

    String title() {
        return String.format(Locale.ROOT, "Growth: %d instances, %,d callers", instances, callers);
    }

    /** Plans all calls, in order. Measurement starts at time 0, so earlier calls are due at negative times. */
    List<PlannedCall> plan(Duration lead, Duration measured) {
        Random random = new Random(SEED);
        long nanos = lead.plus(measured).toNanos();
        List<PlannedCall> plan = new ArrayList<>();
        for (long i = nanos / 1_000_000_000 * CALLS_PER_SECOND; i > 0; i--) {
            long due = (long) (random.nextDouble() * nanos) - lead.toNanos();
            plan.add(new PlannedCall(due, random.nextInt(callers), random.nextInt(instances)));
        }
        plan.sort(Comparator.comparingLong(PlannedCall::dueNanos));
        return plan;
    }
}
