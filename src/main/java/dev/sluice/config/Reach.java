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
        return new Reach(
                burst(limit, (double) tier.most()),
                (double) tier.most() / Math.max(1, limit.period().toMillis()));
    }

    private static double burst(Limit limit, double most) {
        if (limit instanceof Limit.FixedWindow) {
            return 2 * most; // of two neighbouring windows
        }
        if (limit instanceof Limit.SlidingWindow window) {
            return most * (1 + 1.0 / window.subWindows());
        }
        double beyond = most - limit.threshold();
        if (limit instanceof Limit.TokenBucket bucket) {
            return bucket.burst() + beyond;
        }
        if (limit instanceof Limit.LeakyBucket bucket && bucket.queue() > 0) {
            return bucket.queue() + 1 + beyond;
        }
        return limit instanceof Limit.Concurrency ? Double.POSITIVE_INFINITY : most;
    }

    /** Whether what this lets pass never reaches the limit. */
    boolean within(Limit limit) {
        if (limit instanceof Limit.TokenBucket bucket) {
            return burst <= bucket.burst() && perMilli <= rate(limit);
        }
        if (limit instanceof Limit.LeakyBucket bucket) {
            return bucket.queue() == 0 && burst <= bucket.threshold() && perMilli <= rate(limit);
        }
        if (limit instanceof Limit.Concurrency) {
            return false;
        }
        double span =
                limit.period().toMillis() + (limit instanceof Limit.SlidingWindow window ? window.frameMillis() : 0.0);
        return burst + perMilli * span <= limit.threshold();
    }

    private static double rate(Limit limit) {
        return (double) limit.threshold() / limit.period().toMillis();
    }
}
