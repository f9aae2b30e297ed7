package dev.sluice.cli.compare;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;

/**
 * One of the compared algorithms.
 *
 * @param detail how the options differ from the algorithm's defaults; empty if they are the defaults
 */
record ComparedAlgorithm(Limit limit, String detail) {

    /** Returns all algorithms that limit calls per period. The token bucket has the given burst. */
    static List<ComparedAlgorithm> all(long limit, Duration period, long burst) {
        return List.of(
                new ComparedAlgorithm(new Limit.FixedWindow(limit, period), ""),
                new ComparedAlgorithm(new Limit.SlidingWindow(limit, period, 1), ""),
                new ComparedAlgorithm(new Limit.SlidingWindow(limit, period, 4), "subWindows 4"),
                new ComparedAlgorithm(new Limit.SlidingLog(limit, period), ""),
                new ComparedAlgorithm(new Limit.TokenBucket(limit, period, burst), "burst " + burst),
                new ComparedAlgorithm(new Limit.LeakyBucket(limit, period, 0, Duration.ZERO), ""));
    }

    /** Returns the file name of the algorithm's chart without the extension, such as {@code sliding-window-4}. */
    String name() {
        return limit.algorithm().word() + (limit.frames() > 1 ? "-" + limit.frames() : "");
    }

    /** Returns the display name, such as {@code sliding-window, subWindows 4}. */
    String title() {
        return limit.algorithm().word() + (detail.isEmpty() ? "" : ", " + detail);
    }

    /**
     * Whether the algorithm counts the calls in a period. Buckets do not count calls in a period, so their counts are
     * not comparable to those of windows.
     */
    boolean countsPeriods() {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> true;
            case TOKEN_BUCKET, LEAKY_BUCKET, CONCURRENCY -> false;
        };
    }
}
