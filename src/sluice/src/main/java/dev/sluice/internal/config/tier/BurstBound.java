package dev.sluice.internal.config.tier;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;

/**
 * An upper bound on the number of calls that a tier admits in a time span. It is {@code burst} plus {@code perMilli}
 * for each millisecond of the span. Some algorithms admit fewer calls, but none admits more.
 */
record BurstBound(double burst, double perMilli) {

    static BurstBound of(Tier tier) {
        double most = (double) tier.most();
        Limit limit = tier.limit();
        double perMilli = most / shortestMillis(limit);
        return limit.byAlgorithm(new Limit.Cases<>(
                (Limit.FixedWindow window) -> new BurstBound(2 * most, perMilli), // two adjacent full windows
                (Limit.SlidingWindow window) -> new BurstBound(most * (1 + 1.0 / window.subWindows()), perMilli),
                (Limit.SlidingLog log) -> new BurstBound(most, perMilli),
                (Limit.TokenBucket bucket) -> new BurstBound(most, rate(bucket)),
                (Limit.LeakyBucket bucket) ->
                        new BurstBound(bucket.isCutByMaxQueueTime() ? most + 1 : most, rate(bucket)),
                (Limit.Concurrency slots) -> new BurstBound(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY)));
    }

    /** Whether traffic within this bound can never exceed the limit. */
    boolean within(Limit limit) {
        return limit.byAlgorithm(new Limit.Cases<>(
                (Limit.FixedWindow window) ->
                        fits(window, (double) window.windows().longest().toMillis()),
                (Limit.SlidingWindow window) -> fits(window, millis(window) + window.frameMillis()),
                (Limit.SlidingLog log) -> fits(log, millis(log)),
                (Limit.TokenBucket bucket) -> flowsInto(bucket),
                (Limit.LeakyBucket bucket) -> bucket.queue() == 0 ? flowsInto(bucket) : fits(bucket, millis(bucket)),
                (Limit.Concurrency slots) -> false));
    }

    private boolean fits(Limit limit, double spanMillis) {
        return burst + perMilli * spanMillis <= limit.threshold();
    }

    // Whether a bucket never runs empty. That is true if the first burst fits into it, and if it refills at least as
    // fast as calls arrive.
    private boolean flowsInto(Limit bucket) {
        return burst <= bucket.capacity() && perMilli <= rate(bucket);
    }

    private static double rate(Limit limit) {
        return limit.threshold() / millis(limit);
    }

    private static double shortestMillis(Limit limit) {
        Windows periods = limit.periods();
        return periods == null ? 0 : (double) periods.shortest().toMillis();
    }

    private static double millis(Limit limit) {
        return (double) limit.period().toMillis();
    }
}
