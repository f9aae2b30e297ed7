package dev.sluice.internal.limiter.counter;

import java.util.concurrent.CompletableFuture;

/**
 * How a thread waits for a decision, and how many calls may be pending at once. The methods that begin and end a wait
 * are called while the lock of a pending call is held, so they must return at once, and take no lock. Thread-safe.
 */
@FunctionalInterface
public interface PendingPolicy {

    /** No thread waits. */
    PendingPolicy NONE = (end, nanos) -> {};

    /** Waits for a result, at most this long. */
    void await(CompletableFuture<Boolean> end, long nanos) throws InterruptedException;

    /**
     * Asks whether one more call may wait for the store. If it may, call {@link #endWait} exactly once afterwards.
     *
     * @param isMadeUp whether callers can choose freely which counter makes them wait
     */
    default boolean beginWait(boolean isMadeUp) {
        return true;
    }

    default void endWait() {}

    /** Warns that a call was refused because {@link #beginWait} did not let it wait. Called without any lock. */
    default void warnOfWaits() {}

    /**
     * Asks whether one more call may await the outcomes of others. If it may, call {@link #endAwaitingOutcomes} exactly
     * once afterwards.
     *
     * @param isMadeUp whether callers can choose freely which counter makes them wait
     */
    default boolean beginAwaitingOutcomes(boolean isMadeUp) {
        return false;
    }

    default void endAwaitingOutcomes() {}

    /**
     * Warns that a call was refused because {@link #beginAwaitingOutcomes} did not let it wait. Called without any
     * lock.
     */
    default void warnOfAwaitedOutcomes() {}

    /** How many calls may await outcomes at one counter. One caller must not keep the calls of others from doing so. */
    default int mostAwaitingOutcomesOfOne() {
        return Integer.MAX_VALUE;
    }
}
