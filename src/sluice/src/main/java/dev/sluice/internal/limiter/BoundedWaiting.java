package dev.sluice.internal.limiter;

import dev.sluice.internal.limiter.counter.ThreadWait;
import dev.sluice.limits.Limits.WaitingThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets calls wait for the store, for turns in queues and for outcomes, but only a limited number of each. Otherwise
 * callers could block all threads of a server, and so all calls, even unlimited ones. A part of each number is for
 * calls whose counters nobody can invent, so that made-up callers do not take all of it. One per limiter. Thread-safe.
 */
final class BoundedWaiting implements ThreadWait {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    private final Bound turns = new Bound(
            "A call was refused because the number of threads that wait for their turn in a queue has reached "
                    + "waitingThreads.turns ({}). Until one of them proceeds, further calls that would block a "
                    + "thread are refused; all other calls are served. If the server has threads to spare, raise "
                    + "waitingThreads.turns. Otherwise lower maxWait, or enable async support for servlets and "
                    + "filters, so that calls wait without a thread (logged at most once a minute)");
    private final Bound store =
            new Bound("A call was refused because the number of threads that wait for the store has reached "
                    + "waitingThreads.store ({}). The store answers slowly. Until one of them proceeds, further "
                    + "calls that need its answer are refused; calls that find permits in memory pass as usual. "
                    + "Check the store, the network and this machine's CPU. If the server has threads to spare, "
                    + "raise waitingThreads.store (logged at most once a minute)");

    private final Bound outcomes =
            new Bound("A call was refused because the number of calls that wait for the outcome of others has reached "
                    + "waitingThreads.outcomes ({}). Calls in flight hold all permits of a limit with count. Until "
                    + "one of the waiting calls proceeds, further calls that would wait are refused; all other "
                    + "calls are served. If the server has threads to spare, raise waitingThreads.outcomes. "
                    + "Otherwise raise the threshold (logged at most once a minute)");

    BoundedWaiting(WaitingThreads most) {
        follow(most);
    }

    /** Changes the limits; threads that already wait go on waiting. */
    void follow(WaitingThreads most) {
        turns.most = most.turns();
        store.most = most.store();
        outcomes.most = most.outcomes();
    }

    /**
     * Asks whether a call may wait for its turn on a thread. If it may, call {@link #endTurn} exactly once afterwards.
     *
     * @param isMadeUp whether callers can choose freely which counter makes them wait
     */
    boolean beginTurn(boolean isMadeUp) {
        return turns.begin(isMadeUp);
    }

    /** Logs that a call was refused because it may not wait. Do not call this while holding locks or permits. */
    void warnOfTurns() {
        turns.warn();
    }

    void endTurn() {
        turns.end();
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
    public boolean beginStore(boolean isMadeUp) {
        boolean mayWait = store.begin(isMadeUp);
        if (!mayWait) {
            store.warn();
        }
        return mayWait;
    }

    @Override
    public void endStore() {
        store.end();
    }

    /** Must be called without holding anything but the lock of one waiting call. */
    @Override
    public boolean beginOutcome(boolean isMadeUp) {
        boolean mayWait = outcomes.begin(isMadeUp);
        if (!mayWait && outcomes.most > 0) {
            outcomes.warn();
        }
        return mayWait;
    }

    @Override
    public void endOutcome() {
        outcomes.end();
    }

    @Override
    public int mostOutcomesOfOne() {
        return (outcomes.most + 1) / 2;
    }

    /** Limits how many calls wait for one thing. */
    private static final class Bound {

        /** One call in this many may only be of a caller who is not made up. */
        private static final int RESERVED = 4;

        private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final String warning;
        private final AtomicInteger threads = new AtomicInteger();
        private final AtomicLong warnedNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);
        private volatile int most;

        private Bound(String warning) {
            this.warning = warning;
        }

        private boolean begin(boolean isMadeUp) {
            int atMost = isMadeUp ? most - most / RESERVED : most;
            return threads.getAndUpdate(now -> now < atMost ? now + 1 : now) < atMost;
        }

        private void end() {
            threads.decrementAndGet();
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
