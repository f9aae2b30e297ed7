package dev.sluice.benchmarks.fleet.rig;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The limits that a contestant must enforce simultaneously for each caller. */
public record Rule(List<Limit> limits) {

    /** The interval between synchronisations, for contestants that synchronise periodically. */
    public static final Duration SYNC = Duration.ofSeconds(1);

    /** The rule that the article measures. */
    public static final Rule ARTICLE = of(Limit.window(1_000, Duration.ofSeconds(10)));

    /** How a limit counts. */
    public enum Kind {
        /** Windows aligned to the epoch. */
        WINDOW,
        /**
         * A token bucket. Tokens flow in evenly over the period, and the threshold is also the capacity of the bucket.
         */
        BUCKET
    }

    /**
     * A limit that is part of a rule.
     *
     * @param endpoint the name of the endpoint. Limits with the same name are tiers of one endpoint, and every endpoint
     *     matches every call
     */
    public record Limit(String endpoint, Kind kind, long threshold, Duration period) {

        /** Creates a window limit at the only endpoint. */
        public static Limit window(long threshold, Duration period) {
            return new Limit("get-product", Kind.WINDOW, threshold, period);
        }

        /** Creates a bucket limit at the only endpoint. */
        public static Limit bucket(long threshold, Duration period) {
            return new Limit("get-product", Kind.BUCKET, threshold, period);
        }

        /** Returns the same limit at a different endpoint. */
        public Limit of(String other) {
            return new Limit(other, kind, threshold, period);
        }

        /** The number of the window at the given time, counted from the epoch. */
        long windowOf(long epochMillis) {
            return Math.floorDiv(epochMillis, period.toMillis());
        }

        /** The start of the next window. */
        long nextWindowMillis(long epochMillis) {
            return (windowOf(epochMillis) + 1) * period.toMillis();
        }
    }

    public static Rule of(Limit... limits) {
        return new Rule(Arrays.asList(limits));
    }

    /** The number of calls that can pass all limits, either simultaneously or within a window. */
    public long threshold() {
        return limits.stream().mapToLong(Limit::threshold).min().orElseThrow();
    }

    /**
     * Waits until enough time remains in the window of each limit. If a window is too short for that, waits until it
     * has just begun.
     */
    public void awaitTimeInWindows(Duration needed) {
        for (Limit limit : limits) {
            long now = System.currentTimeMillis();
            long end = limit.nextWindowMillis(now);
            if (limit.kind == Kind.WINDOW && end - now < needed.toMillis()) {
                Pause.millis(end - now);
            }
        }
    }

    Duration longestPeriod() {
        return limits.stream().map(Limit::period).max(Comparator.naturalOrder()).orElseThrow();
    }

    boolean isWindows() {
        return limits.stream().allMatch(limit -> limit.kind == Kind.WINDOW);
    }

    boolean isOneEndpoint() {
        return limits.stream().map(Limit::endpoint).distinct().count() == 1;
    }

    boolean isOneWindow() {
        return limits.size() == 1 && isWindows();
    }

    boolean isOneBucket() {
        return limits.size() == 1 && !isWindows();
    }
}
