package dev.sluice.cli.compare;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;

/**
 * One algorithm of the comparison.
 *
 * @param detail how it differs from the algorithm's default; empty if it does not
 */
record ComparedAlgorithm(Limit limit, String detail) {

    /** All algorithms that count calls, with this burst for the token bucket. */
    static List<ComparedAlgorithm> all(long limit, Duration period, long burst) {
        return List.of(
                new ComparedAlgorithm(new Limit.FixedWindow(limit, period), ""),
                new ComparedAlgorithm(new Limit.SlidingWindow(limit, period, 1), ""),
                new ComparedAlgorithm(new Limit.SlidingWindow(limit, period, 4), "subWindows 4"),
                new ComparedAlgorithm(new Limit.SlidingLog(limit, period), ""),
                new ComparedAlgorithm(new Limit.TokenBucket(limit, period, burst), "burst " + burst),
                new ComparedAlgorithm(new Limit.LeakyBucket(limit, period, 0, Duration.ZERO), ""));
    }

    /** The name of its file, such as {@code sliding-window-4}. */
    String name() {
        return limit.algorithm().word() + (limit.frames() > 1 ? "-" + limit.frames() : "");
    }

    /** The name for people, such as {@code sliding-window, subWindows 4}. */
    String title() {
        return limit.algorithm().word() + (detail.isEmpty() ? "" : ", " + detail);
    }

    /**
     * Whether it counts the calls of a period. A bucket does not, so its count cannot be compared with that of a
     * window.
     */
    boolean countsPeriods() {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> true;
            case TOKEN_BUCKET, LEAKY_BUCKET, CONCURRENCY -> false;
        };
    }
}
