package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Pool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;

/**
 * Serves the calls that wait at counters which no background serves: those of this process alone, and shared ones once
 * this instance has left the fleet. It has no thread of its own: a thread that requests a
 * check serves the line, and also the lines that other threads request meanwhile. So two threads never serve each
 * other's calls. Thread-safe.
 */
public final class LocalLines {

    private final Queue<Request> requested = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();

    private record Request(Pool pool, LongPredicate mayGet) {}

    /** Lets calls that wait for permits of this pool take what is there; refuses them if nothing can come back. */
    public void check(Pool pool) {
        check(pool, need -> false);
    }

    /** The same, but calls that may get what they need in another way go on waiting. */
    public void check(Pool pool, LongPredicate mayGet) {
        if (!pool.isAnyInLine()) {
            return;
        }
        requested.add(new Request(pool, mayGet));
        if (requests.getAndIncrement() > 0) {
            return;
        }
        Throwable thrown = null;
        do {
            try {
                Request next = requested.remove();
                next.pool.openLine().serveOrRefuse(next.mayGet);
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
