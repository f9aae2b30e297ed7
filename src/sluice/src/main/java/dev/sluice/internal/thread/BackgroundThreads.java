package dev.sluice.internal.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Creates and stops daemon threads. */
public final class BackgroundThreads {

    /**
     * How long to wait for a thread to end. If it is longer, an application can take needlessly long to shut down. If
     * it is shorter, threads can outlive their application, and servers would report them as leaks.
     */
    private static final long LONGEST_END_MILLIS = 250;

    private BackgroundThreads() {}

    /** Creates a daemon thread without starting it. */
    public static Thread create(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Creates a scheduler with one daemon thread. The thread starts when the first task is scheduled. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> create(name, work));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Waits briefly for an interrupted run to release its lock. If that run itself calls this method, returns
     * immediately.
     */
    static void awaitFree(ReentrantLock lock) {
        if (!lock.isHeldByCurrentThread()) {
            await(() -> {
                if (lock.tryLock(LONGEST_END_MILLIS, TimeUnit.MILLISECONDS)) {
                    lock.unlock();
                }
            });
        }
    }

    /** Interrupts the scheduler's current task, drops all other tasks, and waits briefly for the thread to end. */
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
