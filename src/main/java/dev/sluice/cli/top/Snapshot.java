package dev.sluice.cli.top;

import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.config.report.ReportedRefusals.RefusedCaller;
import java.util.List;

/**
 * What was found on a store at one moment.
 *
 * @param nowMillis when, by the store's clock
 * @param instances how many live there
 * @param nearest the counters of which the least is left, in proportion, those first
 * @param refused the callers who were refused most within the last minute, as instances have told, those first
 * @param looked how many counters were looked at
 * @param unknown how many of them are of no limit that is known here
 * @param isComplete whether all counters were looked at in the time that there was
 */
record Snapshot(
        long nowMillis,
        int instances,
        List<StoredUsage> nearest,
        List<RefusedCaller> refused,
        long looked,
        long unknown,
        boolean isComplete) {

    Snapshot {
        nearest = List.copyOf(nearest);
        refused = List.copyOf(refused);
    }
}
