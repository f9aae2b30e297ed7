package dev.sluice.limiter.exchange;

import dev.sluice.RateLimitListener;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.counter.WaitingAttempt;
import dev.sluice.limiter.shared.WaitingCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Lets calls wait for the store. Safe for any threads. */
final class StoreWaits {

    /** Only threads that wait longer than this fraction of the timeout, and than this time, are counted. */
    private static final int PART_FREE = 5;

    private static final long LONGEST_FREE_NANOS = 100_000_000;

    private static final long LATE_NANOS = WaitingCall.LATE_NANOS;

    /** How much longer a call waits if the background is late. */
    private static final long LONGEST_LATE_NANOS = 1_000_000_000;

    private final ThreadWait waiting;
    private final LongSupplier nanos;
    private final LoopDriver driver;
    private final RateLimitListener listener;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long checkedNanos;

    StoreWaits(ThreadWait waiting, LongSupplier nanos, LoopDriver driver, RateLimitListener listener) {
        this.waiting = waiting;
        this.nanos = nanos;
        this.driver = driver;
        this.listener = listener;
        this.checkedNanos = nanos.getAsLong();
    }

    /** The latest end of a wait that starts now. */
    long deadlineNanos(Duration timeout) {
        return nanos.getAsLong() + timeout.toNanos() + LATE_NANOS;
    }

    /** When a call with this deadline began to wait. */
    static long beganNanos(long deadlineNanos, long timeoutNanos) {
        return deadlineNanos - timeoutNanos - LATE_NANOS;
    }

    /** The background has processed waiting calls. */
    void checked(long nowNanos) {
        checkedNanos = nowNanos;
    }

    /** How many calls wait. */
    int number() {
        return calls.get();
    }

    /** Requests all that a call lacks, and waits until it is decided. */
    WaitResult await(
            WaitingAttempt attempt, List<Shortage> shortages, long deadlineNanos, long restNanos, Duration timeout) {
        calls.incrementAndGet();
        WaitingCall call = new WaitingCall(attempt, deadlineNanos);
        boolean waited;
        try {
            call.standInLine(shortages);
            driver.wake();
            waited = await(call.news, restNanos, timeout);
        } finally {
            calls.decrementAndGet();
            call.end();
        }
        if (call.news.join()) {
            return WaitResult.DECIDED;
        }
        return waited ? WaitResult.REFUSED : WaitResult.TOO_MANY_WAIT;
    }

    /**
     * Returns whether the thread could wait until the end. If the background has not answered by then, since this
     * process gets too little processor time, for example after its start, the call waits a second more.
     */
    private boolean await(CompletableFuture<Boolean> news, long restNanos, Duration timeout) {
        long began = nanos.getAsLong();
        long timedOut = began + restNanos - LATE_NANOS;
        try {
            boolean waited = waiting.awaitStore(news, restNanos, uncountedNanos(restNanos, timeout));
            if (waited && !news.isDone() && checkedNanos - timedOut < 0) {
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

    /** How long a call may still wait without being counted: a healthy store answers within that time. */
    private static long uncountedNanos(long restNanos, Duration timeout) {
        long waited = timeout.toNanos() + LATE_NANOS - restNanos;
        return Math.min(timeout.toNanos() / PART_FREE, LONGEST_FREE_NANOS) - waited;
    }
}
