package dev.sluice.cli.compare;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;

/**
 * One algorithm of the comparison.
 *
 * @param name as a file name can have it
 * @param title for people
 * @param countsPeriods whether what it counts as used is meant to be the calls of a period
 */
record Contender(String name, String title, Limit limit, boolean countsPeriods) {

    /** All algorithms that count calls, with a token bucket that holds a tenth of the limit. */
    static List<Contender> all(long limit, Duration period) {
        return all(limit, period, Math.max(1, limit / 10));
    }

    /** All algorithms that count calls; with so many that a token bucket holds. */
    static List<Contender> all(long limit, Duration period, long burst) {
        return List.of(
                new Contender("fixed-window", "fixed-window", new Limit.FixedWindow(limit, period), true),
                new Contender("sliding-window", "sliding-window", new Limit.SlidingWindow(limit, period, 1), true),
                new Contender(
                        "sliding-window-4",
                        "sliding-window, subWindows 4",
                        new Limit.SlidingWindow(limit, period, 4),
                        true),
                new Contender("sliding-log", "sliding-log", new Limit.SlidingLog(limit, period), true),
                new Contender(
                        "token-bucket",
                        "token-bucket, burst " + burst,
                        new Limit.TokenBucket(limit, period, burst),
                        false),
                new Contender(
                        "leaky-bucket", "leaky-bucket", new Limit.LeakyBucket(limit, period, 0, Duration.ZERO), false));
    }
}
