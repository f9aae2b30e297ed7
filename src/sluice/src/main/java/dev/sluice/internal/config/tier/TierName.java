package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Windows.Calendar;

/**
 * Creates the names of tiers in keys, headers and reports. The name is a part of the counter's key, so limits that
 * count differently have different names. Changing the threshold does not change the name, so counts are preserved.
 */
final class TierName {

    private static final Limit.Cases<String> NAMES = new Limit.Cases<>(
            (Limit.FixedWindow window) ->
                    window.windows() instanceof Calendar calendar ? calendar.name() : period(window),
            (Limit.SlidingWindow window) ->
                    periodAndAlgorithm(window) + (window.subWindows() > 1 ? "-" + window.subWindows() : ""),
            (Limit.SlidingLog log) -> periodAndAlgorithm(log),
            (Limit.TokenBucket bucket) -> periodAndAlgorithm(bucket),
            (Limit.LeakyBucket bucket) -> periodAndAlgorithm(bucket) + (bucket.queue() > 0 ? "-queue" : ""),
            (Limit.Concurrency slots) -> slots.algorithm().word() + (slots.scope() == Scope.SERVER ? "-server" : ""));

    private TierName() {}

    /** Returns the name, for example {@code 10s}, {@code 1m-sliding-window-4} or {@code concurrency}. */
    static String of(Limit limit) {
        return limit.byAlgorithm(NAMES);
    }

    private static String periodAndAlgorithm(Limit limit) {
        return period(limit) + '-' + limit.algorithm().word();
    }

    private static String period(Limit limit) {
        return Durations.shortest(limit.period());
    }
}
