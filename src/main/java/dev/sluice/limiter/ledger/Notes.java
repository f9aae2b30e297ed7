package dev.sluice.limiter.ledger;

import dev.sluice.limiter.shared.SharedPool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What calls leave for the background: pools to look at. Any thread writes, one reads. Pools that have an account are
 * apart from newcomers, which have none yet, so that a flood of made-up callers keeps nobody waiting who was there
 * before.
 */
public final class Notes {

    /** No more of them than there are pools with an account. */
    private final Queue<SharedPool> opened = new ConcurrentLinkedQueue<>();

    private final Queue<SharedPool> newcomers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int maximum;

    /**
     * Opens an empty book.
     *
     * @param maximum of newcomers that may wait; a pool beyond it has what it was born with until a later call notes it
     */
    public Notes(int maximum) {
        this.maximum = maximum;
    }

    /** The background is to look at this pool; whether that is news. */
    public boolean add(SharedPool pool) {
        if (pool.checkRequested.get() || !pool.checkRequested.compareAndSet(false, true)) {
            return false;
        }
        if (pool.attachment != null) {
            return opened.add(pool);
        }
        if (waiting.incrementAndGet() > maximum) {
            waiting.decrementAndGet();
            pool.checkRequested.set(false);
            return false;
        }
        return newcomers.add(pool);
    }

    public boolean isEmpty() {
        return opened.isEmpty() && newcomers.isEmpty();
    }

    /** The next pool that has an account, {@code null} if none is noted. */
    @Nullable SharedPool nextOpened() {
        return read(opened.poll());
    }

    /** The next pool that is new, {@code null} if none is noted. */
    @Nullable SharedPool nextNewcomer() {
        SharedPool pool = newcomers.poll();
        if (pool != null) {
            waiting.decrementAndGet();
        }
        return read(pool);
    }

    private static @Nullable SharedPool read(@Nullable SharedPool pool) {
        if (pool != null) {
            pool.checkRequested.set(false);
        }
        return pool;
    }
}
