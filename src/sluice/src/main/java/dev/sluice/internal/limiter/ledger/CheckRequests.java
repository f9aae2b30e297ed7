package dev.sluice.internal.limiter.ledger;

import dev.sluice.internal.limiter.shared.SharedPool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The checks of pools that calls have requested from the background. Pools without an account have a separate queue, so
 * that a flood of callers with invented identities does not delay existing callers. Any thread may add requests. Only
 * the synchroniser's thread reads them.
 */
public final class CheckRequests {

    /** Contains at most as many pools as have an account. */
    private final Queue<SharedPool> opened = new ConcurrentLinkedQueue<>();

    private final Queue<SharedPool> newcomers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger newcomersListed = new AtomicInteger();
    private final int maximum;

    /**
     * Creates a list of requests with at most this many newcomers, not counting those at which calls stand in line. Any
     * other newcomer uses its first permits until a later call requests a check.
     */
    public CheckRequests(int maximum) {
        this.maximum = maximum;
    }

    /** Requests a check of this pool. Returns whether the request is new. */
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
            // A call may have joined the line and found that a check was already requested.
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
