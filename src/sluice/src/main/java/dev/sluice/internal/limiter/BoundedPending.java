package dev.sluice.internal.limiter;

import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.limits.Limits.PendingCalls;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the number of calls that are queued, waiting for the store, or awaiting outcomes. Without these bounds,
 * pending calls could occupy all threads of a server, and even unlimited calls would be blocked. Part of each bound is
 * reserved for calls whose callers cannot freely choose their counters. Therefore, callers with invented identities
 * cannot exhaust a bound. Each limiter has its own object. Thread-safe.
 */
final class BoundedPending implements PendingPolicy {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    private final Bound queued =
            new Bound("A call was refused because the number of calls queued on threads has reached "
                    + "pendingCalls.queued ({}). Until one of these calls proceeds, further calls that would block "
                    + "a thread are refused. All other calls are served. If the server has threads to spare, raise "
                    + "pendingCalls.queued. Otherwise, lower maxQueueTime, or enable async support for servlets and "
                    + "filters, so that queued calls are parked without a thread (logged at most once a minute)");
    private final Bound waiting =
            new Bound("A call was refused because the number of calls waiting for the store has reached "
                    + "pendingCalls.waiting ({}). The store is responding slowly. Until one of the waiting calls "
                    + "proceeds, further calls that need the store's reply are refused. Calls that find permits in "
                    + "memory pass as usual. "
                    + "Check the store, the network and this machine's CPU. If the server has threads to spare, "
                    + "raise pendingCalls.waiting (logged at most once a minute)");

    private final Bound awaitingOutcomes =
            new Bound("A call was refused because the number of calls awaiting the outcomes of other calls has "
                    + "reached pendingCalls.awaitingOutcomes ({}). Calls in flight hold all permits of a limit that "
                    + "sets count. Until one of the pending calls proceeds, further calls that would await outcomes "
                    + "are refused. All other calls are served. If the server has threads to spare, raise "
                    + "pendingCalls.awaitingOutcomes. Otherwise, raise the threshold (logged at most once a minute)");

    BoundedPending(PendingCalls most) {
        follow(most);
    }

    /** Changes the bounds. Calls that are already pending remain pending. */
    void follow(PendingCalls most) {
        queued.most = most.queued();
        waiting.most = most.waiting();
        awaitingOutcomes.most = most.awaitingOutcomes();
    }

    /**
     * Counts a call as queued on a thread, unless too many calls are already queued. Returns whether the call was
     * counted. If so, call {@link #endQueued} exactly once when it leaves the queue.
     *
     * @param isMadeUp whether callers can freely choose the queue that they join
     */
    boolean beginQueued(boolean isMadeUp) {
        return queued.begin(isMadeUp);
    }

    /**
     * Logs that a call was refused because too many are queued. Do not call this method while holding locks or permits.
     */
    void warnOfQueued() {
        queued.warn();
    }

    void endQueued() {
        queued.end();
    }

    @Override
    public void await(CompletableFuture<Boolean> news, long nanos) throws InterruptedException {
        try {
            var unused = news.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return; // the caller checks its deadline
        } catch (ExecutionException e) {
            throw new IllegalStateException("this future never fails", e);
        }
    }

    @Override
    public boolean beginWait(boolean isMadeUp) {
        return waiting.begin(isMadeUp);
    }

    @Override
    public void warnOfWaits() {
        waiting.warn();
    }

    @Override
    public void endWait() {
        waiting.end();
    }

    @Override
    public boolean beginAwaitingOutcomes(boolean isMadeUp) {
        return awaitingOutcomes.begin(isMadeUp);
    }

    /** Logs the warning only if the configuration allows calls to await outcomes. */
    @Override
    public void warnOfAwaitedOutcomes() {
        if (awaitingOutcomes.most > 0) {
            awaitingOutcomes.warn();
        }
    }

    @Override
    public void endAwaitingOutcomes() {
        awaitingOutcomes.end();
    }

    @Override
    public int mostAwaitingOutcomesOfOne() {
        return (awaitingOutcomes.most + 1) / 2;
    }

    /** The upper bound on the number of calls that can be pending for one reason. */
    private static final class Bound {

        /**
         * The divisor for the reserved part of a bound. A quarter of the bound is reserved for callers who are
         * known by their address or a verified identity.
         */
        private static final int RESERVED = 4;

        private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final String warning;
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicLong warnedNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);
        private volatile int most;

        private Bound(String warning) {
            this.warning = warning;
        }

        private boolean begin(boolean isMadeUp) {
            int atMost = isMadeUp ? most - most / RESERVED : most;
            return calls.getAndUpdate(now -> now < atMost ? now + 1 : now) < atMost;
        }

        private void end() {
            calls.decrementAndGet();
        }

        private void warn() {
            long now = System.nanoTime();
            long warned = warnedNanos.get();
            if (now - warned >= QUIET_NANOS && warnedNanos.compareAndSet(warned, now)) {
                LOG.warn(warning, most);
            }
        }
    }
}
