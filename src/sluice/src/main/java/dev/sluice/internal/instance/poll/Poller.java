package dev.sluice.internal.instance.poll;

import dev.sluice.internal.thread.BackgroundThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a task at intervals on its own daemon thread, until it is closed. Pollers share no thread, neither with each
 * other nor with the limiter's housekeeping. A file on a network mount, a source or a logger of the application may
 * hang; on a shared thread, it would stop the eviction of idle counters and the measuring of the load. Thread-safe.
 */
public final class Poller implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Task task;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;

    /** The task to run at intervals. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /**
     * Does nothing before {@link #start}.
     *
     * @param first the delay before the first run
     * @param interval the pause between the end of a run and the next run
     * @param onFailure receives what a run throws; further runs follow
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
            // polling must go on
        }
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits for this time, or until this is closed. Returns whether it is closed. */
    public boolean closesWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return isClosed(); // an interrupt from elsewhere only shortens the pause
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        BackgroundThreads.awaitEnd(thread);
    }
}
