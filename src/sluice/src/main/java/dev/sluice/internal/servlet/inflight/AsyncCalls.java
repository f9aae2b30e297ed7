package dev.sluice.internal.servlet.inflight;

import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.thread.BackgroundThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The asynchronous calls in flight. The container usually reports their end, but not always: if a caller resets its
 * connection, Tomcat, Jetty and Undertow may report an error and no end, and Tomcat may drop the call without any
 * report. So a timer checks these calls four times a second while there are any, and ends those that the container has
 * abandoned. Thread-safe.
 */
public final class AsyncCalls {

    /** An asynchronous call. Thread-safe. */
    interface AsyncCall {

        boolean hasEnded();

        /**
         * Ends the call if this check and earlier ones show that the container has abandoned it. Only the timer's
         * thread checks.
         */
        void endIfAbandoned(long nowNanos);

        /** Ends the call if its end is due: the timer has stopped, so nothing else would. */
        void endIfDue();
    }

    private static final long PAUSE_MILLIS = 250;

    private final FaultLog faults;
    private final Set<AsyncCall> calls = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /** Uses this timer, and shuts it down in {@link #close}. */
    public AsyncCalls(FaultLog faults, ScheduledExecutorService timer) {
        this.faults = faults;
        this.timer = timer;
    }

    FaultLog faults() {
        return faults;
    }

    void add(AsyncCall call) {
        calls.add(call);
        keepLooking();
    }

    void remove(AsyncCall call) {
        calls.remove(call);
    }

    private void keepLooking() {
        if (!calls.isEmpty() && isLooking.compareAndSet(false, true)) {
            try {
                Future<?> unused = timer.schedule(this::lookAndGoOn, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // closed: from now on a call that fails ends at once
            }
        }
    }

    private void lookAndGoOn() {
        try {
            look(System.nanoTime());
        } catch (RuntimeException | Error e) {
            faults.report(
                    "The rate limiter failed to check for calls that the container has abandoned; it will check again.",
                    e);
        } finally {
            isLooking.set(false);
            keepLooking();
        }
    }

    /** Checks each call, and ends it if the container has abandoned it. */
    void look(long nowNanos) {
        calls.removeIf(AsyncCall::hasEnded); // calls that ended while they were being added
        calls.forEach(call -> call.endIfAbandoned(nowNanos));
    }

    boolean isClosed() {
        return timer.isShutdown();
    }

    /** Stops checking, and ends the calls whose end is due. */
    public void close() {
        BackgroundThreads.end(timer);
        calls.forEach(AsyncCall::endIfDue);
    }
}
