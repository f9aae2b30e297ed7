package dev.sluice.benchmarks.fleet.tenants;

import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import dev.sluice.benchmarks.fleet.rig.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A scene in which all {@code callers} make one call within an hour. After that, {@code active} of them call
 * repeatedly, and some exceed their limit. Each instance has room for {@code maximumCounters} counters.
 */
record TenantsScene(int instances, int callers, int active, int maximumCounters) {

    /** The rule that is enforced. Because its window is an hour long, all counters stay in Redis. */
    static final Rule RULE = Rule.of(Rule.Limit.window(60, Duration.ofHours(1)));

    static final int CALLS_PER_SECOND = 2_000;

    /** The number of active callers that make twice as many calls as their limit allows. */
    static final int OVER = 100;

    private static final long SEED = 42;

    /** All scenes. Some have room for all active callers, and others for only a tenth of them. */
    static List<TenantsScene> all() {
        return List.of(
                new TenantsScene(4, 1_000_000, 100_000, 250_000),
                new TenantsScene(4, 1_000_000, 100_000, 10_000),
                new TenantsScene(4, 10_000_000, 100_000, 250_000));
    }

    String title() {
        return String.format(
                Locale.ROOT,
                "Tenants: %,d callers, %,d active, room for %,d",
                callers,
                active,
                maximumCounters);
    }

    /**
     * Plans the calls of active callers, at random times. Callers that exceed their limit make twice as many calls as
     * it allows.
     */
    List<PlannedCall> plan(Duration measured) {
        Random random = new Random(SEED);
        long nanos = measured.toNanos();
        long beyond = 2 * RULE.threshold() * OVER;
        long calls = nanos / 1_000_000_000 * CALLS_PER_SECOND;
        List<PlannedCall> plan = new ArrayList<>();
        for (long i = 0; i < calls; i++) {
            int caller = i < beyond ? (int) (i % OVER) : OVER + random.nextInt(active - OVER);
            plan.add(new PlannedCall((long) (random.nextDouble() * nanos), caller, random.nextInt(instances)));
        }
        plan.sort((one, other) -> Long.compare(one.dueNanos(), other.dueNanos()));
        return plan;
    }
}
