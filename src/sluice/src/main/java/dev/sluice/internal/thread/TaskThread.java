package dev.sluice.internal.thread;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that several {@link Poller}s share. Each poller can delay the others, so tasks only share a thread if
 * they wait for the same things. A limiter has these threads:
 *
 * <ul>
 * <li>{@code sluice-synchroniser} exchanges counts with the store, and runs nothing else. It does not wait for replies.
 * It only logs when the store becomes unavailable or available again, and at the DEBUG and TRACE levels.
 * <li>{@link #MEMORY} sweeps counters, measures the load, drives the coarse clock and writes heartbeats. These tasks
 * either only access memory, or start a write to the store without waiting for it to complete.
 * <li>{@link #STORE} reads the overrides and blocks in the store. It can wait for the store's reply. Because it logs
 * changes, it can also wait for a logger.
 * <li>Each task that the application could cause to hang has a separate thread. These tasks read the file, log
 * refusals, and query the application's own sources of overrides and clients. Not every limiter needs all of them.
 * </ul>
 *
 * <p>These threads call listeners directly, so listeners must return immediately. Each thread starts when it receives
 * its first task. Thread-safe.
 */
public final class TaskThread implements AutoCloseable {

    /** The name of the thread for tasks that wait neither for the store nor for the application. */
    public static final String MEMORY = "sluice-background";

    /** The name of the thread for tasks that write log messages or wait for the store's reply. */
    public static final String STORE = "sluice-store";

    private final ScheduledThreadPoolExecutor timer;
    private volatile @Nullable Thread thread;

    public TaskThread(String name) {
        timer = new ScheduledThreadPoolExecutor(1, work -> thread = BackgroundThreads.create(name, work));
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task once after a pause. Returns {@code null} if this thread is closed. */
    @Nullable Future<?> after(Duration pause, Runnable task) {
        try {
            return timer.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return null;
        }
    }

    /**
     * Interrupts the running task, drops all other tasks, and waits briefly for the thread to end, unless it is the
     * calling thread.
     */
    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            timer.shutdownNow();
        } else {
            BackgroundThreads.end(timer);
        }
    }
}
