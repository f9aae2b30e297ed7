package dev.sluice.limiter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How the thread of a call waits for the background. */
@FunctionalInterface
interface Waiting {

    /** Blocks the thread. */
    Waiting BLOCKING = (news, nanos) -> {
        try {
            news.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return; // the caller looks at its deadline
        } catch (ExecutionException e) {
            throw new IllegalStateException("news never fail", e);
        }
    };

    /** Waits for news, at most so long. */
    void await(CompletableFuture<Boolean> news, long nanos) throws InterruptedException;
}
