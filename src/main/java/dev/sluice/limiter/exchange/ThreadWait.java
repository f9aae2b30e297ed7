package dev.sluice.limiter.exchange;

import java.util.concurrent.CompletableFuture;

/** How the thread of a call waits for the background. */
@FunctionalInterface
public interface ThreadWait {

    /** Waits for news, at most so long. */
    void await(CompletableFuture<Boolean> news, long nanos) throws InterruptedException;

    /**
     * Waits for news of a call that found no permit, at most so long; whether it could: not if too many threads wait
     * already.
     *
     * @param uncountedNanos so long any thread may wait
     */
    default boolean awaitStore(CompletableFuture<Boolean> news, long nanos, long uncountedNanos)
            throws InterruptedException {
        await(news, nanos);
        return true;
    }
}
