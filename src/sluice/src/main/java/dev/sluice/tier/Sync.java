package dev.sluice.tier;

import java.time.Duration;

/**
 * How instances share the counters of a tier. Immutable and thread-safe.
 *
 * @param every the maximum time between two exchanges for a counter in use
 * @param slack the fraction of the threshold that an instance is allowed to admit before the store has replied; 0 if
 *     calls wait for the reply instead
 * @param strict whether the store makes the decision about each call
 */
public record Sync(Duration every, double slack, boolean strict) {

    /** The default values. */
    public static final Sync DEFAULT = new Sync(Duration.ofSeconds(1), 0.01, false);

    /**
     * The number of calls that an instance is allowed to admit before the store has replied. The number is rounded
     * down, so it is 0 for a low threshold.
     */
    public long slackOf(long threshold) {
        return strict
                ? 0
                : (long) (slack * threshold + 1e-6); // a hundredth of 700 is 7, although 0.01 is not a binary fraction
    }
}
