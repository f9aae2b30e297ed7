package dev.sluice.internal.limiter.ledger;

import dev.sluice.internal.limiter.shared.SharedPool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Pool checks that calls have requested and that the synchroniser's thread has yet to run. Pools without an account
 * have a separate queue so that a flood of callers with arbitrary identities does not delay existing callers. Any
 * thread may add requests. Only the synchroniser's thread reads them.
 */
public final class CheckRequests {

    /**
     * The pools that already have an account. Each pool is listed at most once, so the number of accounts bounds the
     * queue.
     */
    private final Queue<SharedPool> opened = new ConcurrentLinkedQueue<>();

    private final Queue<SharedPool> newcomers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger newcomersListed = new AtomicInteger();
    private final int maximum;

    /**
     * Creates an empty list of requests. A newcomer is a pool without an account. The list accepts at most the given
     * number of newcomers, plus any newcomers at which calls are waiting in line. All other newcomers use their initial
     * permits until a later call requests a check.
     */
    public CheckRequests(int maximum) {
        this.maximum = maximum;
    }

    /** Requests a check of the given pool. Returns whether the request is new. */
    public boolean add(SharedPool pool) {
        if (!pool.noteCheckRequested(true)) {
            return false;
        }
        if (!pool.isUnseen()) {
            return opened.add(pool);
        }
        if (newcomersListed.incrementAndGet() > maximum && !pool.isAnyInLine()) {
            newcomersListed.decrementAndGet();
            pool.noteCheckRequested(false);
            // A call might have joined the line in the meantime and found that a check had already been requested.
            return pool.isAnyInLine() && add(pool);
        }
        return newcomers.add(pool);
    }

    public boolean isEmpty() {
        return opened.isEmpty() && newcomers.isEmpty();
    }

    /** Returns the next pool with an account; {@code null} if there is none. */
    @Nullable SharedPool nextOpened() {
        return read(opened.poll());
    }

    /** Returns the next pool without an account; {@code null} if there is none. */
    @Nullable SharedPool nextNewcomer() {
        SharedPool pool = newcomers.poll();
        if (pool != null) {
            newcomersListed.decrementAndGet();
        }
        return read(pool);
    }

    private static @Nullable SharedPool read(@Nullable SharedPool pool) {
        if (pool != null) {
            pool.noteCheckRequested(false);
        }
        return pool;
    }
}
