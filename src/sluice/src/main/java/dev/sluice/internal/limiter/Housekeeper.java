package dev.sluice.internal.limiter;

import dev.sluice.internal.thread.BackgroundThreads;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs small periodic tasks on a thread of its own, which no exception ends. The tasks only compute and notify
 * listeners, so they do not delay each other. Tasks with I/O run in pollers, each on its own thread.
 */
final class Housekeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    private final ScheduledExecutorService timer = BackgroundThreads.timer("sluice-housekeeper");

    /**
     * Adds a task.
     *
     * @param what the task as a gerund, for the log: {@code "Sweeping idle counters"}
     */
    void every(long seconds, String what, Runnable task) {
        var unused = timer.scheduleWithFixedDelay(() -> run(seconds, what, task), seconds, seconds, TimeUnit.SECONDS);
    }

    private static void run(long seconds, String what, Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // an exception would make the executor cancel the task silently
            LOG.warn("{} failed. Limits are still enforced. Retrying in {} s", what, seconds, e);
        }
    }

    @Override
    public void close() {
        BackgroundThreads.end(timer);
    }
}
