package dev.sluice.tier;

import java.time.Duration;

/**
 * How a tier's counters are shared with other instances.
 *
 * @param every the longest time between two exchanges of a counter in use
 * @param slack the part of the threshold that an instance may admit before the store answered; 0 to wait instead
 * @param strict whether each call is decided in the store
 */
public record Sync(Duration every, double slack, boolean strict) {

    /** The defaults. */
    public static final Sync DEFAULT = new Sync(Duration.ofSeconds(1), 0.01, false);

    /**
     * The number of calls that an instance may admit before the store answered, rounded down: none of a small
     * threshold.
     */
    public long slackOf(long threshold) {
        return strict
                ? 0
                : (long) (slack * threshold + 1e-6); // 1e-6: a hundredth of 700 is 7, though 0.01 is no binary fraction
    }
}
