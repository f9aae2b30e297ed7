package dev.sluice.limiter;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does small things again and again, on a thread of its own that nothing thrown ends. */
final class Housekeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "sluice-housekeeper");
        daemon.setDaemon(true);
        return daemon;
    });

    /**
     * Does this too, from now on.
     *
     * @param what a gerund for the log, such as {@code "Sweeping idle counters"}
     */
    void every(long seconds, String what, Runnable task) {
        var unused = thread.scheduleWithFixedDelay(() -> run(seconds, what, task), seconds, seconds, TimeUnit.SECONDS);
    }

    private static void run(long seconds, String what, Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // what gets through would end the task for ever, without a word
            LOG.warn("{} failed. Limits are enforced as before. It is tried again in {} s", what, seconds, e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
