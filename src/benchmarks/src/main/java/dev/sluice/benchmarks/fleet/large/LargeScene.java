package dev.sluice.benchmarks.fleet.large;

import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import dev.sluice.benchmarks.fleet.rig.Rule;
import dev.sluice.benchmarks.fleet.rig.Rule.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A scene in which each caller makes 0.4 times as many calls as the limit allows. Each call's caller, instance and time
 * are uniformly random.
 */
record LargeScene(int instances, int callers, int threshold) {

    static final Duration PERIOD = Duration.ofSeconds(10);
    static final int USUAL_CALLERS = 25;
    static final int USUAL_THRESHOLD = 1_000;

    private static final double TIMES_THE_LIMIT = 0.4;
    private static final long SEED = 42;

    static List<LargeScene> all() {
        return List.of(
                usual(100),
                usual(20),
                new LargeScene(100, 5, USUAL_THRESHOLD),
                new LargeScene(100, 1, USUAL_THRESHOLD),
                new LargeScene(100, USUAL_CALLERS, 100));
    }

    private static LargeScene usual(int instances) {
        return new LargeScene(instances, USUAL_CALLERS, USUAL_THRESHOLD);
    }

    boolean isUsual() {
        return equals(usual(instances));
    }

    String title() {
        return String.format(
                Locale.ROOT, "Large: %d instances, callers: %d, limit: %,d in 10 s", instances, callers, threshold);
    }

    Rule rule() {
        return Rule.of(Limit.window(threshold, PERIOD));
    }

    /** Plans the calls for the given number of windows, in order. */
    List<PlannedCall> plan(int windows) {
        Random random = new Random(SEED);
        long nanos = windows * PERIOD.toNanos();
        List<PlannedCall> plan = new ArrayList<>();
        for (long i = (long) (TIMES_THE_LIMIT * threshold * callers * windows); i > 0; i--) {
            long due = (long) (random.nextDouble() * nanos);
            plan.add(new PlannedCall(due, random.nextInt(callers), random.nextInt(instances)));
        }
        plan.sort(Comparator.comparingLong(PlannedCall::dueNanos));
        return plan;
    }
}
