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
 * @param nowMillis the moment, by the store's clock
 * @param instances the number of live instances
 * @param nearest the counters nearest their limits, the nearest first
 * @param plans a text for each counter in {@code nearest} whose limit depends on a plan that only the call names. It
 *     says where the plan comes from, and which limit each plan has.
 * @param refused the callers that were refused most often within the last minute, from the reports of instances
 * @param blocked the blocked callers; the block that ends last comes first
 * @param looked the number of counters that were read
 * @param unknown how many of these counters have no limit in force
 * @param names the display names of callers, where a file has one
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
