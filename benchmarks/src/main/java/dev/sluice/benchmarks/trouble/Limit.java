package dev.sluice.benchmarks.trouble;

import java.time.Duration;
import java.util.Locale;

/** A limit of the file that all instances follow. Its endpoint has the same name. */
enum Limit {
    /** What a page may call; too small for slack. */
    PAGE(60, Duration.ofDays(1)),
    /** Large enough for slack. */
    BULK(300, Duration.ofDays(1)),
    /** Its windows end many times in a scene. */
    QUICK(20, Duration.ofSeconds(2));

    private final long threshold;
    private final Duration period;

    Limit(long threshold, Duration period) {
        this.threshold = threshold;
        this.period = period;
    }

    long threshold() {
        return threshold;
    }

    /** What slack lets pass beyond the threshold, on all instances together. */
    long slack() {
        return World.INSTANCES * (threshold / 100);
    }

    String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    /** Whether a whole run happens within one window, so that the store's total is that of all calls. */
    boolean outlastsRun() {
        return period.compareTo(Duration.ofHours(1)) > 0;
    }

    /** The window at a moment, counted from the epoch. */
    long windowAt(long epochNanos) {
        return Math.floorDiv(epochNanos, period.toNanos());
    }

    /** How the file writes it, with so many calls more than usual. */
    String yaml(long more) {
        return "  - { id: %s, pathPattern: %s, tiers: [ { period: %ds, threshold: %d } ] }%n"
                .formatted(path().substring(1), path(), period.toSeconds(), threshold + more);
    }
}
