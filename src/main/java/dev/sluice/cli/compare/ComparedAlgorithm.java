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
record ComparedAlgorithm(String name, String title, Limit limit, boolean countsPeriods) {

    /** All algorithms that count calls, with this burst for the token bucket. */
    static List<ComparedAlgorithm> all(long limit, Duration period, long burst) {
        return List.of(
                new ComparedAlgorithm("fixed-window", "fixed-window", new Limit.FixedWindow(limit, period), true),
                new ComparedAlgorithm(
                        "sliding-window", "sliding-window", new Limit.SlidingWindow(limit, period, 1), true),
                new ComparedAlgorithm(
                        "sliding-window-4",
                        "sliding-window, subWindows 4",
                        new Limit.SlidingWindow(limit, period, 4),
                        true),
                new ComparedAlgorithm("sliding-log", "sliding-log", new Limit.SlidingLog(limit, period), true),
                new ComparedAlgorithm(
                        "token-bucket",
                        "token-bucket, burst " + burst,
                        new Limit.TokenBucket(limit, period, burst),
                        false),
                new ComparedAlgorithm(
                        "leaky-bucket", "leaky-bucket", new Limit.LeakyBucket(limit, period, 0, Duration.ZERO), false));
    }
}
