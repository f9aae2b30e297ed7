package dev.sluice.limiter.exchange;

import dev.sluice.RateLimitListener;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.ledger.Notes;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.WaitingCalls.WaitingCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Calls that wait for the store, together with all others that wait on this instance. Safe for any threads. */
final class StoreWaits {

    /** Only threads that wait longer than this part of the timeout, and than this time, are counted. */
    private static final int PART_FREE = 5;

    private static final long LONGEST_FREE_NANOS = 100_000_000;

    /** The background judges at the timeout; a call waits a little longer, to hear what it says. */
    private static final long LATE_NANOS = 10_000_000;

    /** How much longer a call waits if the background is late. */
    private static final long LONGEST_LATE_NANOS = 1_000_000_000;

    private final ThreadWait waiting;
    private final LongSupplier nanos;
    private final Notes notes;
    private final LoopDriver driver;
    private final RateLimitListener listener;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long judgedNanos;

    StoreWaits(ThreadWait waiting, LongSupplier nanos, Notes notes, LoopDriver driver, RateLimitListener listener) {
        this.waiting = waiting;
        this.nanos = nanos;
        this.notes = notes;
        this.driver = driver;
        this.listener = listener;
        this.judgedNanos = nanos.getAsLong();
    }

    /** Until when a call that begins to wait now does so at most. */
    long deadlineNanos(Duration timeout) {
        return nanos.getAsLong() + timeout.toNanos() + LATE_NANOS;
    }

    /** The background has looked at the calls that wait, and told them what it knows. */
    void judged(long nowNanos) {
        judgedNanos = nowNanos;
    }

    /** Whether any call waits. */
    boolean isAny() {
        return calls.get() > 0;
    }

    /** Has the background ask for all that a call lacks, and waits until there may be more of the first of it. */
    WaitResult await(List<Shortage> shortages, long restNanos, Duration timeout) {
        calls.incrementAndGet();
        List<WaitingCall> waits = new ArrayList<>(shortages.size());
        for (Shortage lacking : shortages) {
            waits.add(pool(lacking).waiting.add(lacking.cost(), lacking.need(), lacking.sufficesAlone()));
        }
        WaitResult heard;
        long granted;
        try {
            shortages.forEach(lacking -> notes.add(pool(lacking)));
            driver.wake();
            SharedPool first = pool(shortages.get(0));
            boolean hasToWait = first.permits.left() < shortages.get(0).need() && !first.permits.isClosed();
            CompletableFuture<Boolean> news = waits.get(0).news;
            heard = hasToWait && !await(news, restNanos, timeout)
                    ? WaitResult.TOO_MANY_WAIT
                    : news.getNow(true) ? WaitResult.LOOK_AGAIN : WaitResult.NOTHING;
        } finally {
            granted = end(shortages, waits);
        }
        return granted >= 0 ? WaitResult.granted(granted) : heard;
    }

    private static SharedPool pool(Shortage lacking) {
        return (SharedPool) lacking.pool();
    }

    /** The call waits no more; a reading of its pool if it was granted what it needs meanwhile, else -1. */
    private long end(List<Shortage> shortages, List<WaitingCall> waits) {
        calls.decrementAndGet();
        long granted = -1;
        for (int i = 0; i < shortages.size(); i++) {
            granted = Math.max(granted, pool(shortages.get(i)).waiting.remove(waits.get(i)));
        }
        return granted;
    }

    /**
     * Whether the thread could wait until the end. Where the background has said nothing by then, since this process
     * gets too little processor time, as one that has just started may, the call waits for it a second more.
     */
    private boolean await(CompletableFuture<Boolean> news, long restNanos, Duration timeout) {
        long began = nanos.getAsLong();
        long timedOut = began + restNanos - LATE_NANOS;
        try {
            boolean waited = waiting.awaitStore(news, restNanos, uncountedNanos(restNanos, timeout));
            if (waited && !news.isDone() && judgedNanos - timedOut < 0) {
                return waiting.awaitStore(news, LONGEST_LATE_NANOS, 0);
            }
            return waited;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            listener.onStoreWait(nanos.getAsLong() - began);
        }
    }

    /**
     * How long a call that may still wait so long does so, however many others wait: a store that is well answers
     * within that time.
     */
    private static long uncountedNanos(long restNanos, Duration timeout) {
        long waited = timeout.toNanos() + LATE_NANOS - restNanos;
        return Math.min(timeout.toNanos() / PART_FREE, LONGEST_FREE_NANOS) - waited;
    }
}
