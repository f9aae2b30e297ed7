package dev.sluice.internal.limiter.counter;

import java.util.concurrent.CompletableFuture;

/** How calls wait: how a thread does, and how many calls may at once. */
@FunctionalInterface
public interface ThreadWait {

    /** No thread waits. */
    ThreadWait NONE = (news, nanos) -> {};

    /** Waits for a result, at most this long. */
    void await(CompletableFuture<Boolean> news, long nanos) throws InterruptedException;

    /** Asks whether one more call may wait for the store. If so, {@link #endStore} must follow, exactly once. */
    default boolean beginStore() {
        return true;
    }

    default void endStore() {}

    /**
     * Asks whether one more call may wait for the outcome of others. If so, {@link #endOutcome} must follow, exactly
     * once.
     */
    default boolean beginOutcome() {
        return false;
    }

    default void endOutcome() {}
}
