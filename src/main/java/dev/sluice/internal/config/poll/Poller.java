package dev.sluice.internal.config.poll;

import dev.sluice.internal.thread.BackgroundThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a task at intervals until it is closed, on a daemon thread of its own, which starts only if the task is needed. No
 * thread is shared, neither with other pollers nor with the limiter's housekeeping: reading a file on a network mount, a
 * source or a logger of the application may hang, and would then keep idle counters in memory and the load unmeasured.
 */
public final class Poller implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Task task;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;

    /** What is run at intervals. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /**
     * Does nothing before {@link #start}.
     *
     * @param first the time from the start to the first run
     * @param interval the time from the end of one run to the next
     * @param onFailure receives whatever a run throws; the next run follows all the same
     */
    public Poller(String name, Duration first, Supplier<Duration> interval, Task task, Consumer<Throwable> onFailure) {
        this.task = task;
        this.onFailure = onFailure;
        this.thread = BackgroundThreads.create(name, () -> run(first, interval));
    }

    public void start() {
        thread.start();
    }

    private void run(Duration first, Supplier<Duration> interval) {
        Duration pause = first;
        while (!closesWithin(pause)) {
            poll();
            pause = interval.get();
        }
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
            // the polling must go on
        }
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits, and returns whether this was closed meanwhile. */
    public boolean closesWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return isClosed(); // an interrupt by others only cuts the pause short
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        BackgroundThreads.awaitEnd(thread);
    }
}
