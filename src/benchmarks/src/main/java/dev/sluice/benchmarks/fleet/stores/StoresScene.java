package dev.sluice.benchmarks.fleet.stores;

import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import dev.sluice.benchmarks.fleet.rig.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A scene in which callers call instances at random times within one window.
 *
 * @param limit each caller's limit in the window
 * @param times the number of calls that each caller makes, as a multiple of the limit
 */
record StoresScene(int instances, long limit, double times) {

    static final int CALLERS = 25;
    private static final Duration PERIOD = Duration.ofSeconds(10);
    /**
     * The measured part of a window. It ends before the window ends, so all calls belong to the window by any clock.
     */
    static final Duration MEASURED = Duration.ofMillis(9_500);

    private static final long SEED = 42;

    static List<StoresScene> all() {
        List<StoresScene> all = new ArrayList<>();
        for (int instances : new int[] {3, 20}) {
            all.add(new StoresScene(instances, 1_000, 0.4));
            all.add(new StoresScene(instances, 100, 2));
        }
        return all;
    }

    Rule rule() {
        return Rule.of(Rule.Limit.window(limit, PERIOD));
    }

    String title() {
        return String.format(
                Locale.ROOT, "Stores: %d instances, %s x a limit of %,d in 10 s", instances, times, limit);
    }

    /** Plans all calls, in order. Calls in the previous window are due before 0. */
    List<PlannedCall> plan() {
        Random random = new Random(SEED);
        List<PlannedCall> plan = new ArrayList<>();
        for (long start : new long[] {-PERIOD.toNanos(), 0}) {
            for (int caller = 0; caller < CALLERS; caller++) {
                for (long call = 0; call < times * limit; call++) {
                    long due = start + (long) (random.nextDouble() * MEASURED.toNanos());
                    plan.add(new PlannedCall(due, caller, random.nextInt(instances)));
                }
            }
        }
        plan.sort(Comparator.comparingLong(PlannedCall::dueNanos));
        return plan;
    }

    /** The start of the window after the next one, in nano time. */
    long start() {
        long now = System.currentTimeMillis();
        long period = PERIOD.toMillis();
        long start = (now / period + 2) * period;
        return System.nanoTime() + (start - now + 50) * 1_000_000;
    }
}
