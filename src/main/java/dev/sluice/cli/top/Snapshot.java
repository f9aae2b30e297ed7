package dev.sluice.cli.top;

import dev.sluice.Block;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.internal.config.report.ReportedRefusals.RefusedCaller;
import dev.sluice.traffic.CallerNames;
import java.util.List;

/**
 * What was found in a store at one moment.
 *
 * @param nowMillis the moment, by the store's clock
 * @param instances the number of live instances
 * @param nearest the counters nearest their limits, the nearest first
 * @param refused the callers refused most within the last minute, by the reports of instances
 * @param blocked the blocked callers, those first whose block ends last
 * @param looked the number of counters that were looked at
 * @param unknown the number of these whose limit is not in force
 * @param names what people call callers, as far as a file tells
 * @param isComplete whether there was time to look at all counters
 */
record Snapshot(
        long nowMillis,
        int instances,
        List<StoredUsage> nearest,
        List<RefusedCaller> refused,
        List<Block> blocked,
        long looked,
        long unknown,
        CallerNames names,
        boolean isComplete) {

    Snapshot {
        nearest = List.copyOf(nearest);
        refused = List.copyOf(refused);
        blocked = List.copyOf(blocked);
    }
}
