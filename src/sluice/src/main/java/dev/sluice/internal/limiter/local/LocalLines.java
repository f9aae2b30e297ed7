package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Pool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the calls that are waiting at counters without a background thread. These are the local counters and, after
 * this instance has left the fleet, the shared counters. This class has no thread. A thread that calls {@link #serve}
 * serves all added lines, including lines that other threads add in the meantime. Therefore, two threads never serve
 * each other's calls. Thread-safe.
 */
public final class LocalLines {

    private final Queue<Pool> added = new ConcurrentLinkedQueue<>();
    /** How many threads have called {@link #serve} since the serving thread began. */
    private final AtomicInteger calls = new AtomicInteger();

    /**
     * Adds the line of the given pool. The line is served later, by a thread that calls {@link #serve}, because the
     * current thread might hold locks or borrowed permits.
     */
    public void add(Pool pool) {
        if (pool.isAnyInLine()) {
            added.add(pool);
        }
    }

    /**
     * Lets calls in the added lines take the available permits, and refuses those that can no longer get enough. Do not
     * call this method while holding a lock or borrowed permits.
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
                } catch (RuntimeException | Error e) { // an attempt can throw, but other lines must be served too
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
