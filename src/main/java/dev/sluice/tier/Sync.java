package dev.sluice.tier;

import java.time.Duration;

/**
 * How a tier's counters are kept together with those of other instances.
 *
 * @param every the longest time between two exchanges of a counter in use
 * @param slack the part of the threshold that an instance may admit before it has heard of the others; 0 to wait
 *     instead
 * @param strict whether each call is decided in the store
 */
public record Sync(Duration every, double slack, boolean strict) {

    /** What a file that says nothing gets. */
    public static final Sync DEFAULT = new Sync(Duration.ofSeconds(1), 0.01, false);

    /**
     * What an instance may admit of a threshold before it has heard of the others, rounded down: none of a small one.
     */
    public long slackOf(long threshold) {
        return strict
                ? 0
                : (long) (slack * threshold + 1e-6); // a hundredth of 700 is 7, though it is no binary fraction
    }
}
