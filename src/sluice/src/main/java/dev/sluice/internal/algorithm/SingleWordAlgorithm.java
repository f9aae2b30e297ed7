package dev.sluice.internal.algorithm;

/**
 * An algorithm whose state for one caller is a single non-negative number. Any number of threads can therefore count
 * with compare-and-set. Implementations compute the next state and store nothing.
 */
public sealed interface SingleWordAlgorithm permits FixedWindow, Gcra {

    /** The state of an unused limit. */
    long FULL = 0;

    /**
     * The maximum difference between the clocks of a fleet. If a state is ahead by no more than this, it can be from
     * another instance, so it does not prove that this clock was wrong.
     */
    long CLOCK_TOLERANCE_MILLIS = 10_000;

    /** The result of {@link #take} if too few permits remain. */
    long TOO_FEW = -1;

    /** The current state, updated for the elapsed time, and corrected if the clock has stepped back. */
    long normalised(long state, long nowMillis);

    /**
     * The normalised state after taking this cost; {@link #TOO_FEW} if fewer than {@code remaining} permits would
     * remain.
     */
    long take(long state, long cost, long remaining, long nowMillis);

    /** Converts the state of the same limit with other figures. The number of used permits stays the same. */
    long carriedOver(long state, SingleWordAlgorithm before, long nowMillis);

    /** The state after taking this cost, even if fewer permits remained. */
    long charge(long state, long cost, long nowMillis);

    /**
     * The state after putting this cost back, except for the permits that have already refilled since it was taken.
     *
     * @param after the state immediately after taking it
     */
    long putBack(long state, long cost, long after, long nowMillis);

    /**
     * The number of remaining permits; negative if calls were charged more permits than remained, or if the limit was
     * lowered.
     */
    long left(long state, long nowMillis);

    /** The time until enough permits for this cost are available or, if it exceeds the limit, until all permits are. */
    long millisUntil(long state, long cost, long nowMillis);

    /** The time until the whole limit is available again, or its window ends. */
    long resetMillis(long state, long nowMillis);

    /** Identifies the window of a state. Refunds never cross windows. */
    long windowNumber(long state);

    /** Whether no counted call affects the limit any more. */
    boolean isIdle(long state, long nowMillis);
}
