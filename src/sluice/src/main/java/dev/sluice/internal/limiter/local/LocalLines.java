package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Pool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the calls that wait at counters which no background serves: those of this process alone, and shared ones once
 * this instance has left the fleet. It has no thread of its own: a thread that calls {@link #serve} serves all lines
 * that were added, and also those that other threads add meanwhile. So two threads never serve each other's calls.
 * Thread-safe.
 */
public final class LocalLines {

    private final Queue<Pool> added = new ConcurrentLinkedQueue<>();
    /** How many threads have called {@link #serve} since the one that serves began. */
    private final AtomicInteger calls = new AtomicInteger();

    /**
     * Adds the line of this pool, which the next serving thread serves. The present thread may hold locks or borrowed
     * permits.
     */
    public void add(Pool pool) {
        if (pool.isAnyInLine()) {
            added.add(pool);
        }
    }

    /**
     * Lets calls in the added lines take the available permits, and refuses those that can get no more. Do not call
     * this while holding a lock or borrowed permits.
     */
    public void serve() {
        if (added.isEmpty() || calls.getAndIncrement() > 0) {
            return;
        }
        Throwable thrown = null;
        int seen = 1;
        do {
            for (Pool next = added.poll(); next != null; next = added.poll()) {
                try {
                    next.openLine().serveOrRefuse(next.clockMillis());
                } catch (RuntimeException | Error e) { // an attempt may throw, but other lines must be served too
                    thrown = e;
                }
            }
            seen = calls.addAndGet(-seen);
        } while (seen > 0);
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException fault) {
            throw fault;
        }
    }
}
