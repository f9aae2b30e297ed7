package dev.sluice.internal.servlet.inflight;

import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.thread.BackgroundThreads;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The asynchronous calls in flight. The container usually reports the end of a call, but not always. If a caller resets
 * its connection, Tomcat, Jetty and Undertow can report an error without reporting the end, and Tomcat can drop the
 * call without any report. Therefore, while there are asynchronous calls, a timer checks them four times a second. It
 * ends the calls that the container has abandoned. Thread-safe.
 */
public final class AsyncCalls {

    /** An asynchronous call. Thread-safe. */
    interface AsyncCall {

        /**
         * Whether the container seems to have abandoned the call. The timer calls this method at each check, so that
         * the call can determine whether there was any activity since the previous check.
         */
        boolean looksAbandoned();

        /** Ends the call because the container has abandoned it. */
        void endAbandoned();

        /**
         * Ends the call if its end is due. This method is called after the timer has stopped, because nothing else
         * would end the call.
         */
        void endIfDue();
    }

    /**
     * The time for which a call must look abandoned before it is ended. A shorter time would end calls too early,
     * because a container can take almost this long to dispatch a call or to report its end.
     */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long PAUSE_MILLIS = 250;

    private final FaultLog faults;
    private final Set<AsyncCall> calls = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer;
    private final AtomicBoolean isLooking = new AtomicBoolean();
    /**
     * The calls that have looked abandoned at every recent check. The value is the time of the first of these checks.
     * Only the checks access this map, and they never run concurrently.
     */
    private Map<AsyncCall, Long> abandonedSinceNanos = Map.of();

    /** Creates an instance that checks calls on the given timer. The method {@link #close} shuts the timer down. */
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
                // the timer is closed, so a call that fails now ends immediately
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

    /** Checks each call, and ends the calls that have looked abandoned at every check for a second. */
    void look(long nowNanos) {
        Map<AsyncCall, Long> stillLooking = new HashMap<>();
        for (AsyncCall call : calls) {
            if (call.looksAbandoned()) {
                long since = abandonedSinceNanos.getOrDefault(call, nowNanos);
                if (nowNanos - since >= PATIENCE_NANOS) {
                    call.endAbandoned();
                } else {
                    stillLooking.put(call, since);
                }
            }
        }
        abandonedSinceNanos = stillLooking;
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
