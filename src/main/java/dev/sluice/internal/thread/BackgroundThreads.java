package dev.sluice.internal.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes threads that keep no process alive, and ends them. */
public final class BackgroundThreads {

    /**
     * What ends a thread waits for it, this long at most: a server reports threads that outlive their application as leaks.
     */
    private static final long LONGEST_END_MILLIS = 250;

    private BackgroundThreads() {}

    /** A thread that is not started yet. */
    public static Thread create(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** A thread for tasks at later times. It starts with the first task. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> create(name, work));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Waits for a thread that was told to end. Returns at once on that thread itself. */
    public static void awaitEnd(Thread thread) {
        if (thread != Thread.currentThread()) {
            await(() -> thread.join(LONGEST_END_MILLIS));
        }
    }

    /** Interrupts the tasks of a timer, drops those that have not begun, and waits for its thread. */
    public static void end(ExecutorService timer) {
        timer.shutdownNow();
        await(() -> timer.awaitTermination(LONGEST_END_MILLIS, TimeUnit.MILLISECONDS));
    }

    private static void await(Wait wait) {
        try {
            wait.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @FunctionalInterface
    private interface Wait {
        void run() throws InterruptedException;
    }
}
