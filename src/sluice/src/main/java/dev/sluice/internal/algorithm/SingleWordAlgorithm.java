package dev.sluice.internal.algorithm;

/**
 * An algorithm whose state for one caller is a single non-negative number, so that any number of threads can count by
 * compare-and-set. Implementations compute the next state and store nothing.
 */
public sealed interface SingleWordAlgorithm permits FixedWindow, Gcra {

    /** The state of an unused limit. */
    long FULL = 0;

    /**
     * The clocks of a fleet differ by less than this. A state that is no further ahead may come from another instance;
     * it does not mean that this clock was wrong.
     */
    long CLOCK_TOLERANCE_MILLIS = 10_000;

    /** The result of {@link #take} if too few permits remain. */
    long TOO_FEW = -1;

    /** The present state, updated for the time that has passed, and corrected if the clock has stepped back. */
    long normalised(long state, long nowMillis);

    /**
     * The normalised state after taking this cost; {@link #TOO_FEW} if fewer than {@code remaining} permits would
     * remain.
     */
    long take(long state, long cost, long remaining, long nowMillis);

    /** Converts the state of the same limit with other figures; the used amount stays the same. */
    long carriedOver(long state, SingleWordAlgorithm before, long nowMillis);

    /** The state after taking this cost, even if fewer permits remained. */
    long charge(long state, long cost, long nowMillis);

    /**
     * The state after putting this cost back, without the permits that have come back by themselves since it was taken.
     *
     * @param after the state just after taking it
     */
    long putBack(long state, long cost, long after, long nowMillis);

    /** The number of remaining permits; negative if calls were charged more than remained, or the limit was lowered. */
    long left(long state, long nowMillis);

    /** How long until permits for this cost are available, or all permits if it is more than the limit. */
    long millisUntil(long state, long cost, long nowMillis);

    /** The time until the whole limit is available again, or its window ends. */
    long resetMillis(long state, long nowMillis);

    /** Identifies the window of a state. Refunds never cross windows. */
    long windowNumber(long state);

    /** Whether no counted call matters any more. */
    boolean isIdle(long state, long nowMillis);
}
