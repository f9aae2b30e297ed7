package dev.sluice.internal.limiter.counter;

import java.util.concurrent.CompletableFuture;

/**
 * Determines how a thread waits for a decision, and how many calls may be pending at the same time. The methods that
 * begin and end a wait are called while the lock of a pending call is held, so they must return immediately and acquire
 * no lock. Thread-safe.
 */
@FunctionalInterface
public interface PendingPolicy {

    /** A policy under which no thread waits. */
    PendingPolicy NONE = (end, nanos) -> {};

    /** Waits for a result for at most the given time. */
    void await(CompletableFuture<Boolean> end, long nanos) throws InterruptedException;

    /**
     * Returns whether one more call may wait for the store. If so, call {@link #endWait} exactly once when the wait
     * ends.
     *
     * @param isMadeUp whether callers can freely choose the counter that makes them wait
     */
    default boolean beginWait(boolean isMadeUp) {
        return true;
    }

    default void endWait() {}

    /**
     * Warns that a call was refused because {@link #beginWait} did not let it wait. This method is called without
     * holding any lock.
     */
    default void warnOfWaits() {}

    /**
     * Returns whether one more call may await the outcomes of other calls. If so, call {@link #endAwaitingOutcomes}
     * exactly once when it no longer awaits them.
     *
     * @param isMadeUp whether callers can freely choose the counter that makes them wait
     */
    default boolean beginAwaitingOutcomes(boolean isMadeUp) {
        return false;
    }

    default void endAwaitingOutcomes() {}

    /**
     * Warns that a call was refused because {@link #beginAwaitingOutcomes} did not let it wait. This method is called
     * without holding any lock.
     */
    default void warnOfAwaitedOutcomes() {}

    /**
     * Returns the maximum number of calls that may await outcomes at one counter. This limit prevents one caller from
     * excluding all others.
     */
    default int mostAwaitingOutcomesOfOne() {
        return Integer.MAX_VALUE;
    }
}
