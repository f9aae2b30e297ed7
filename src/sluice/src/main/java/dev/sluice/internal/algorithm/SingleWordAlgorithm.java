package dev.sluice.internal.algorithm;

/**
 * An algorithm whose state for one caller is a single non-negative number, so that many threads can count concurrently
 * with compare-and-set. Implementations compute the next state and are themselves stateless.
 */
public sealed interface SingleWordAlgorithm permits FixedWindow, Gcra {

    /** The state of an unused limit. */
    long FULL = 0;

    /**
     * The maximum difference between the clocks of the instances in a fleet. A state that is ahead by at most this time
     * does not prove that the local clock was wrong, because the state could come from another instance.
     */
    long CLOCK_TOLERANCE_MILLIS = 10_000;

    /** The result of {@link #take} if too few permits remain. */
    long TOO_FEW = -1;

    /** The current state, updated for the elapsed time, and corrected if the clock has been set back. */
    long normalised(long state, long nowMillis);

    /**
     * The normalised state after taking {@code cost} permits; {@link #TOO_FEW} if fewer than {@code remaining} permits
     * would remain.
     */
    long take(long state, long cost, long remaining, long nowMillis);

    /** Converts a state from before a change to the limit. The number of used permits stays the same. */
    long carriedOver(long state, SingleWordAlgorithm before, long nowMillis);

    /** The state after taking {@code cost} permits, even if fewer remain. */
    long charge(long state, long cost, long nowMillis);

    /**
     * The state after putting {@code cost} permits back, except those that have already refilled since they were taken.
     *
     * @param after the state immediately after taking the permits
     */
    long putBack(long state, long cost, long after, long nowMillis);

    /**
     * The number of remaining permits; negative if more permits were charged than remained, or if the limit was
     * lowered.
     */
    long left(long state, long nowMillis);

    /**
     * The time until {@code cost} permits are available. If {@code cost} exceeds the limit, this is the time until all
     * permits are available.
     */
    long millisUntil(long state, long cost, long nowMillis);

    /** The time until the full limit is available again, or until its window ends. */
    long resetMillis(long state, long nowMillis);

    /**
     * Identifies the window to which a state belongs. A refund only applies to the window in which the permits were
     * taken.
     */
    long windowNumber(long state);

    /** Whether counted calls no longer affect the limit. */
    boolean isIdle(long state, long nowMillis);
}
