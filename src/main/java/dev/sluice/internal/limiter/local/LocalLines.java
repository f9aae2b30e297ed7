package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Pool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the calls that wait at counters of this process alone. No thread of its own does that: whoever requests a check
 * does it, also what others request meanwhile. So two threads never serve each other's calls. Safe for any threads.
 */
public final class LocalLines {

    private final Queue<Pool> requested = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();

    /** Calls that wait for permits of this pool take what is there, or are refused if nothing can come back. */
    public void check(Pool pool) {
        if (!pool.isAwaited()) {
            return;
        }
        requested.add(pool);
        if (requests.getAndIncrement() > 0) {
            return;
        }
        do {
            Pool next = requested.remove();
            next.waiting().serveOrRefuse(need -> false);
        } while (requests.decrementAndGet() > 0);
    }
}
