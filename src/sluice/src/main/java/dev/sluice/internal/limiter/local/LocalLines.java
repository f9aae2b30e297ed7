package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Pool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the calls that wait at counters which no background serves: those of this process alone, and shared ones once
 * this instance has left the fleet. It has no thread of its own: a thread that requests a
 * check serves the line, and also the lines that other threads request meanwhile. So two threads never serve each
 * other's calls. Thread-safe.
 */
public final class LocalLines {

    private final Queue<Pool> requested = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();

    /** Lets calls that wait for permits of this pool take what is there; refuses those that can get no more. */
    public void check(Pool pool) {
        if (!pool.isAnyInLine()) {
            return;
        }
        requested.add(pool);
        if (requests.getAndIncrement() > 0) {
            return;
        }
        Throwable thrown = null;
        do {
            try {
                Pool next = requested.remove();
                next.openLine().serveOrRefuse(next.clockMillis());
            } catch (RuntimeException | Error e) { // of an attempt; other lines must be served too
                thrown = e;
            }
        } while (requests.decrementAndGet() > 0);
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException fault) {
            throw fault;
        }
    }
}
