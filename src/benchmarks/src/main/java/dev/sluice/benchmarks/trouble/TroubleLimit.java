package dev.sluice.benchmarks.trouble;

import java.time.Duration;
import java.util.Locale;

/** A limit in the file that all instances use. The limit's endpoint has the same name as the limit. */
enum TroubleLimit {
    /** A limit for the calls of a page. It is too small to have slack. */
    PAGE(60, Duration.ofDays(1)),
    /** A limit that is large enough to have slack. */
    BULK(300, Duration.ofDays(1)),
    /** A limit whose windows are so short that many of them end during a scene. */
    QUICK(20, Duration.ofSeconds(2));

    private final long threshold;
    private final Duration period;

    TroubleLimit(long threshold, Duration period) {
        this.threshold = threshold;
        this.period = period;
    }

    long threshold() {
        return threshold;
    }

    /** The number of calls that slack allows beyond the threshold, for all instances together. */
    long slack() {
        return World.INSTANCES * slackOfOne();
    }

    long slackOfOne() {
        return threshold / 100;
    }

    /**
     * The maximum number of permits that one instance can hold. An instance never takes more than half of the remaining
     * permits ahead.
     */
    long mostHeld() {
        return threshold / 2;
    }

    String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    /** Whether a whole run fits into a single window. If so, the total in the store includes all calls. */
    boolean outlastsRun() {
        return period.compareTo(Duration.ofHours(1)) > 0;
    }

    /** The number of the window that contains the given time, counted from the epoch. */
    long windowAt(long epochNanos) {
        return Math.floorDiv(epochNanos, period.toNanos());
    }

    /** The limit in YAML for the file, raised by the given number of calls. */
    String yaml(long more) {
        return "  - { id: %s, pathPattern: %s, tiers: [ { period: %ds, threshold: %d } ] }%n"
                .formatted(path().substring(1), path(), period.toSeconds(), threshold + more);
    }
}
