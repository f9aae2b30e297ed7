package dev.sluice.limiter.exchange;

import java.util.concurrent.CompletableFuture;

/** How the thread of a call waits for the background. */
@FunctionalInterface
public interface ThreadWait {

    /** Waits for a result, at most this long. */
    void await(CompletableFuture<Boolean> news, long nanos) throws InterruptedException;

    /**
     * Waits for the result of a call without a permit, at most this long; returns {@code false} if too many threads
     * already wait.
     *
     * @param uncountedNanos how long any thread may wait
     */
    default boolean awaitStore(CompletableFuture<Boolean> news, long nanos, long uncountedNanos)
            throws InterruptedException {
        await(news, nanos);
        return true;
    }
}
