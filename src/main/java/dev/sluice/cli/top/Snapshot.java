package dev.sluice.cli.top;

import dev.sluice.Block;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.internal.config.report.ReportedRefusals.RefusedCaller;
import dev.sluice.traffic.CallerNames;
import java.util.List;

/**
 * The state of a store at one moment.
 *
 * @param nowMillis the moment, by the store's clock
 * @param instances the number of live instances
 * @param nearest the counters nearest their limits, the nearest first
 * @param refused the callers refused most within the last minute, from the reports of instances
 * @param blocked the blocked callers; the block that ends last comes first
 * @param looked the number of counters that were read
 * @param unknown how many of these have no limit in force
 * @param names what people call callers, as far as a file says
 * @param isComplete whether there was time to read all counters
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
