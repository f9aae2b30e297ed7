package dev.sluice.internal.limiter.counter;

import java.util.concurrent.CompletableFuture;

/** How a thread waits, and how many calls may wait at once. Thread-safe. */
@FunctionalInterface
public interface ThreadWait {

    /** No thread waits. */
    ThreadWait NONE = (end, nanos) -> {};

    /** Waits for a result, at most this long. */
    void await(CompletableFuture<Boolean> end, long nanos) throws InterruptedException;

    /**
     * Asks whether one more call may wait for the store. If it may, call {@link #endStore} exactly once afterwards.
     *
     * @param isMadeUp whether callers can choose freely which counter makes them wait
     */
    default boolean beginStore(boolean isMadeUp) {
        return true;
    }

    default void endStore() {}

    /**
     * Asks whether one more call may wait for the outcome of others. If it may, call {@link #endOutcome} exactly once
     * afterwards.
     *
     * @param isMadeUp whether callers can choose freely which counter makes them wait
     */
    default boolean beginOutcome(boolean isMadeUp) {
        return false;
    }

    default void endOutcome() {}

    /** How many calls may wait for outcomes at one counter. One caller must not keep those of others from waiting. */
    default int mostOutcomesOfOne() {
        return Integer.MAX_VALUE;
    }
}
