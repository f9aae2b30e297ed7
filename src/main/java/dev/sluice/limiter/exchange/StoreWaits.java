package dev.sluice.limiter.exchange;

import dev.sluice.RateLimitListener;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.counter.WaitingAttempt;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.WaitingCalls;
import dev.sluice.limiter.shared.WaitingCalls.WaitingCall;
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

    /** The background ends waits. A call goes on without it only if the background itself does not run. */
    private static final long LATE_NANOS = 2_000_000_000;

    private final ThreadWait waiting;
    private final LongSupplier nanos;
    private final LoopDriver driver;
    private final RateLimitListener listener;
    private final AtomicInteger calls = new AtomicInteger();

    StoreWaits(ThreadWait waiting, LongSupplier nanos, LoopDriver driver, RateLimitListener listener) {
        this.waiting = waiting;
        this.nanos = nanos;
        this.driver = driver;
        this.listener = listener;
    }

    /** How long a call that began to wait then may wait on. */
    static long restNanos(long arrivalNanos, Duration timeout, long nowNanos) {
        return arrivalNanos + timeout.toNanos() + LATE_NANOS - nowNanos;
    }

    /** How many calls wait. */
    int number() {
        return calls.get();
    }

    /** Requests all that a call lacks, and waits until it is decided. */
    WaitResult await(
            WaitingAttempt attempt, List<Shortage> shortages, long arrivalNanos, long restNanos, Duration timeout) {
        calls.incrementAndGet();
        WaitingCall call = new WaitingCall(attempt, StoreWaits::line, arrivalNanos);
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

    private static WaitingCalls line(Shortage lacking) {
        return ((SharedPool) lacking.pool()).waiting;
    }

    /** Waits for the background, at most this long. */
    void await(CompletableFuture<Boolean> news, Duration atMost) {
        try {
            waiting.await(news, atMost.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
