package dev.sluice.algorithm;

/**
 * An algorithm that keeps all it knows of one caller in one number, never negative, so that any number of threads can
 * count by comparing and setting it. It tells the number that follows; it keeps none.
 */
public sealed interface SingleWordAlgorithm permits FixedWindow, Gcra {

    /** The state of a limit that nobody has used. */
    long FULL = 0;

    /** Clocks of one fleet differ by less: what is no further ahead than this is no mistake of a clock. */
    long LEAST_BELIEVED_MILLIS = 10_000;

    /** Answer of {@link #take}: there is too little. */
    long TOO_FEW = -1;

    /**
     * The state as of now: with what time has given back, and without what only a clock that has stepped back can have
     * left.
     */
    long normalised(long state, long nowMillis);

    /** The believed state after so much was taken, or {@link #TOO_FEW} if less than {@code remaining} would be left. */
    long take(long state, long cost, long remaining, long nowMillis);

    /**
     * The state that says of this limit what the given one says of another, which is the same but for its figures: as
     * much is used.
     */
    long carriedOver(long state, SingleWordAlgorithm before, long nowMillis);

    /** The state after so much was taken, whether it was there or not. */
    long charge(long state, long cost, long nowMillis);

    /**
     * The state after so much was put back, less what has come back by itself since it was taken.
     *
     * @param after the state just after it was taken
     */
    long putBack(long state, long cost, long after, long nowMillis);

    /** What is left; negative if more was charged than there was, or the limit was larger then. */
    long left(long state, long nowMillis);

    /** The time until so much is left, or all there can be. */
    long millisUntil(long state, long cost, long nowMillis);

    /** The time until all of the limit is there again, or its window ends. */
    long resetMillis(long state, long nowMillis);

    /** Identifies the window: what a call gives back never crosses windows. */
    long windowNumber(long state);

    /** Whether nothing that was ever counted matters any more. */
    boolean isIdle(long state, long nowMillis);
}
