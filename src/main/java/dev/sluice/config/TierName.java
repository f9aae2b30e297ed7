package dev.sluice.config;

import dev.sluice.Limit;
import dev.sluice.Limit.Concurrency.Scope;

/**
 * Names tiers, for keys, headers and reports. Counters are found by the name, so limits that are counted in different ways
 * never have the same; a change of the threshold alone keeps it, and the counts.
 */
final class TierName {

    private TierName() {}

    /** For example {@code 10s}, {@code 1m-sliding-window-4}, {@code concurrency}. */
    static String of(Limit limit) {
        if (limit instanceof Limit.Concurrency concurrency) {
            return concurrency.scope() == Scope.SERVER ? "concurrency-server" : "concurrency";
        }
        String period = Durations.shortest(limit.period());
        if (limit instanceof Limit.FixedWindow) {
            return period;
        }
        return period + '-' + limit.algorithm() + variety(limit);
    }

    private static String variety(Limit limit) {
        if (limit instanceof Limit.SlidingWindow window && window.subWindows() > 1) {
            return "-" + window.subWindows();
        }
        return limit instanceof Limit.LeakyBucket bucket && bucket.queue() > 0 ? "-queue" : "";
    }
}
