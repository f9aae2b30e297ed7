package dev.sluice.cli.top;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.internal.instance.report.ReportedRefusals.RefusedCaller;
import dev.sluice.traffic.CallerNames;
import java.util.List;
import java.util.Map;

/**
 * The state of a store at one moment.
 *
 * @param nowMillis the time of the snapshot, measured by the store's clock
 * @param instances the number of live instances
 * @param nearest the counters nearest their limits, nearest first
 * @param plans a text for each counter in {@code nearest} whose limit depends on a plan that becomes known only during
 *     a call. The text shows where the plan comes from, and the limit for each plan
 * @param refused the callers with the most refusals in the last minute, according to the instances' reports
 * @param blocked the blocked callers. The block that ends last comes first
 * @param looked the number of counters that were read
 * @param unknown the number of counters that were read but belong to no limit in force
 * @param names the display names of callers that have one in a file
 * @param isComplete whether there was time to read all counters
 */
record Snapshot(
        long nowMillis,
        int instances,
        List<StoredUsage> nearest,
        Map<CounterKey, String> plans,
        List<RefusedCaller> refused,
        List<Block> blocked,
        long looked,
        long unknown,
        CallerNames names,
        boolean isComplete) {

    Snapshot {
        nearest = List.copyOf(nearest);
        plans = Map.copyOf(plans);
        refused = List.copyOf(refused);
        blocked = List.copyOf(blocked);
    }
}
