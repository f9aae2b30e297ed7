package dev.sluice.benchmarks.fleet;

import java.time.Duration;

/** What every contestant is to enforce: at most {@code THRESHOLD} calls a tenant in each window of {@code PERIOD}. */
final class Rule {

    static final long THRESHOLD = 1000;
    static final Duration PERIOD = Duration.ofSeconds(10);
    static final long PERIOD_MILLIS = PERIOD.toMillis();
    /** How often instances tell each other, for those contestants that do so now and then. */
    static final Duration SYNC = Duration.ofSeconds(1);

    static final int TENANTS = 25;

    private Rule() {}

    static long windowOf(long epochMillis) {
        return Math.floorDiv(epochMillis, PERIOD_MILLIS);
    }
}
