package dev.sluice.internal.thread;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task at intervals on a {@link TaskThread} until the poller is closed. Exceptions do not stop the poller.
 * Thread-safe.
 */
public final class Poller implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    /** Locked during a run, so that {@link #close} can wait for the run to end. */
    private final ReentrantLock running = new ReentrantLock();

    private final TaskThread thread;
    private final boolean ownsThread;
    private final Duration first;
    private final Supplier<Duration> interval;
    private final Task task;
    private final Consumer<Throwable> onFailure;
    /** The latest run. Guarded by {@code this}. */
    private @Nullable Future<?> next;

    /** A task to run at intervals. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /**
     * Creates a poller. It does nothing until {@link #start} is called.
     *
     * @param thread the thread to use; closing the poller does not close it
     * @param first the delay before the first run
     * @param interval the pause between the end of a run and the next run
     * @param onFailure receives each exception that a run throws. The next run follows as usual
     */
    public Poller(
            TaskThread thread, Duration first, Supplier<Duration> interval, Task task, Consumer<Throwable> onFailure) {
        this(thread, false, first, interval, task, onFailure);
    }

    /** Creates a poller that has its own thread, for a task that could hang. */
    public Poller(String name, Duration first, Supplier<Duration> interval, Task task, Consumer<Throwable> onFailure) {
        this(new TaskThread(name), true, first, interval, task, onFailure);
    }

    private Poller(
            TaskThread thread,
            boolean ownsThread,
            Duration first,
            Supplier<Duration> interval,
            Task task,
            Consumer<Throwable> onFailure) {
        this.thread = thread;
        this.ownsThread = ownsThread;
        this.first = first;
        this.interval = interval;
        this.task = task;
        this.onFailure = onFailure;
    }

    public void start() {
        runAfter(first);
    }

    private synchronized void runAfter(Duration pause) {
        if (!isClosed()) {
            next = thread.after(pause, this::run);
        }
    }

    private void run() {
        running.lock();
        try {
            if (!isClosed()) {
                poll();
            }
        } finally {
            running.unlock();
        }
        runAfter(interval.get());
    }

    /** Runs the task once. */
    public void poll() {
        try {
            task.run();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    private void report(Throwable thrown) {
        try {
            onFailure.accept(thrown);
        } catch (Throwable ignored) {
            // continue polling after any failure
        }
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits until the given time has passed or the poller is closed. Returns whether the poller is closed. */
    public boolean closesWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return isClosed(); // an interrupt that does not come from close() only shortens the pause
        }
    }

    /**
     * Interrupts the current run, and waits briefly for it to end. If that run itself calls this method, does not wait.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed.countDown();
            if (next != null) {
                next.cancel(true);
            }
        }
        if (ownsThread) {
            thread.close();
        } else {
            BackgroundThreads.awaitFree(running);
        }
    }
}
