package dev.sluice.config;

import dev.sluice.Limit;
import dev.sluice.Tier;

/**
 * How much a tier lets pass at most, whatever its callers do: in any span of time at most {@code burst} and {@code perMilli} for
 * each millisecond of it. Coarser than the truth for some algorithms, never finer.
 */
record Reach(double burst, double perMilli) {

    static Reach of(Tier tier) {
        Limit limit = tier.limit();
        double most = (double) tier.most();
        if (limit instanceof Limit.FixedWindow) {
            return new Reach(2 * most, most / millis(limit)); // of two neighbouring windows
        }
        if (limit instanceof Limit.SlidingWindow window) {
            return new Reach(most * (1 + 1.0 / window.subWindows()), most / millis(limit));
        }
        if (limit instanceof Limit.SlidingLog) {
            return new Reach(most, most / millis(limit));
        }
        return new Reach(limit instanceof Limit.Concurrency ? Double.POSITIVE_INFINITY : most, rate(limit));
    }

    /** Whether what this lets pass never reaches the limit. */
    boolean within(Limit limit) {
        if (limit instanceof Limit.TokenBucket || (limit instanceof Limit.LeakyBucket bucket && bucket.queue() == 0)) {
            return burst <= limit.capacity() && perMilli <= rate(limit);
        }
        if (limit instanceof Limit.Concurrency) {
            return false;
        }
        double span =
                limit.period().toMillis() + (limit instanceof Limit.SlidingWindow window ? window.frameMillis() : 0.0);
        return burst + perMilli * span <= limit.threshold();
    }

    private static double rate(Limit limit) {
        return (double) limit.threshold() / millis(limit);
    }

    private static long millis(Limit limit) {
        return Math.max(1L, limit.period().toMillis());
    }
}
