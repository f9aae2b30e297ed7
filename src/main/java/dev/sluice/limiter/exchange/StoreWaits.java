package dev.sluice.limiter.exchange;

import dev.sluice.RateLimitListener;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.ledger.CheckRequests;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.WaitingCalls.WaitingCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Lets calls wait for the store. Safe for any threads. */
final class StoreWaits {

    /** Only threads that wait longer than this fraction of the timeout, and than this time, are counted. */
    private static final int PART_FREE = 5;

    private static final long LONGEST_FREE_NANOS = 100_000_000;

    /** The background ends waits. A call goes on without it only if the background itself does not run. */
    private static final long LATE_NANOS = 2_000_000_000;

    private final ThreadWait waiting;
    private final LongSupplier nanos;
    private final CheckRequests requests;
    private final LoopDriver driver;
    private final RateLimitListener listener;
    private final AtomicInteger calls = new AtomicInteger();

    StoreWaits(
            ThreadWait waiting,
            LongSupplier nanos,
            CheckRequests requests,
            LoopDriver driver,
            RateLimitListener listener) {
        this.waiting = waiting;
        this.nanos = nanos;
        this.requests = requests;
        this.driver = driver;
        this.listener = listener;
    }

    /** The latest end of a wait that starts now. */
    long deadlineNanos(Duration timeout) {
        return nanos.getAsLong() + timeout.toNanos() + LATE_NANOS;
    }

    /** When a call with this deadline began to wait. */
    static long beganNanos(long deadlineNanos, long timeoutNanos) {
        return deadlineNanos - timeoutNanos - LATE_NANOS;
    }

    /** How many calls wait. */
    int number() {
        return calls.get();
    }

    /** Requests all that a call lacks, and waits until more of the first of it may be available. */
    WaitResult await(List<Shortage> shortages, long restNanos, Duration timeout) {
        calls.incrementAndGet();
        List<WaitingCall> waits = new ArrayList<>(shortages.size());
        for (Shortage lacking : shortages) {
            waits.add(pool(lacking).waiting.add(lacking.cost(), lacking.need(), lacking.sufficesAlone()));
        }
        WaitResult result;
        long granted;
        try {
            shortages.forEach(lacking -> requests.add(pool(lacking)));
            driver.wake();
            SharedPool first = pool(shortages.get(0));
            boolean hasToWait = first.permits.left() < shortages.get(0).need() && !first.permits.isClosed();
            CompletableFuture<Boolean> news = waits.get(0).news;
            result = hasToWait && !await(news, restNanos, timeout)
                    ? WaitResult.TOO_MANY_WAIT
                    : news.getNow(true) ? WaitResult.LOOK_AGAIN : WaitResult.REFUSED;
        } finally {
            granted = end(shortages, waits);
        }
        return granted >= 0 ? WaitResult.granted(granted) : result;
    }

    /** Waits for the background, at most this long. */
    void await(CompletableFuture<Boolean> news, Duration atMost) {
        try {
            waiting.await(news, atMost.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static SharedPool pool(Shortage lacking) {
        return (SharedPool) lacking.pool();
    }

    /** Ends a wait; returns the pool's state if the call was granted what it needs meanwhile, else -1. */
    private long end(List<Shortage> shortages, List<WaitingCall> waits) {
        calls.decrementAndGet();
        long granted = -1;
        for (int i = 0; i < shortages.size(); i++) {
            granted = Math.max(granted, pool(shortages.get(i)).endWait(waits.get(i)));
        }
        return granted;
    }

    /** Returns whether the thread could wait until the end. */
    private boolean await(CompletableFuture<Boolean> news, long restNanos, Duration timeout) {
        long began = nanos.getAsLong();
        try {
            return waiting.awaitStore(news, restNanos, uncountedNanos(restNanos, timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            listener.onStoreWait(nanos.getAsLong() - began);
        }
    }

    /** How long a call may still wait without being counted: a healthy store answers within that time. */
    private static long uncountedNanos(long restNanos, Duration timeout) {
        long waited = timeout.toNanos() + LATE_NANOS - restNanos;
        return Math.min(timeout.toNanos() / PART_FREE, LONGEST_FREE_NANOS) - waited;
    }
}
