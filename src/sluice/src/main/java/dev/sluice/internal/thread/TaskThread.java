package dev.sluice.internal.thread;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One daemon thread that several {@link Poller}s share, so each may delay the others. Tasks share a thread if they may
 * wait for the same things. A limiter has these threads:
 *
 * <ul>
 *   <li>{@code sluice-synchroniser} exchanges counts with the store, and runs nothing else. It awaits no answer. It
 *   logs only when the store becomes unavailable or available again, and at DEBUG and TRACE.
 *   <li>{@link #MEMORY} sweeps counters, measures the load, drives the coarse clock and writes heartbeats. These tasks
 *   only touch memory, or hand a write to the store without waiting for it.
 *   <li>{@link #STORE} follows the overrides and blocks in the store. It may wait for the store's answer, and it logs
 *       changes, so it may wait for a logger.
 *   <li>Each task that may hang because of the application has a thread of its own, if the limiter has the task at all:
 *   the file, the log of refusals, and the application's own sources of overrides and clients.
 * </ul>
 *
 * <p>Listeners hear the events of a thread on that thread, and must return at once. The thread starts with the first
 * task. Thread-safe.
 */
public final class TaskThread implements AutoCloseable {

    /** The name of the thread for tasks that wait neither for the store nor for the application. */
    public static final String MEMORY = "sluice-background";

    /** The name of the thread for tasks that log and may wait for the store's answer. */
    public static final String STORE = "sluice-store";

    private final ScheduledThreadPoolExecutor timer;
    private volatile @Nullable Thread thread;

    public TaskThread(String name) {
        timer = new ScheduledThreadPoolExecutor(1, work -> thread = BackgroundThreads.create(name, work));
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task once after a pause. Returns {@code null} if this is closed. */
    @Nullable Future<?> after(Duration pause, Runnable task) {
        try {
            return timer.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return null;
        }
    }

    /** Interrupts the running task, drops all others, and waits a moment for the thread, unless it is the caller's. */
    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            timer.shutdownNow();
        } else {
            BackgroundThreads.end(timer);
        }
    }
}
