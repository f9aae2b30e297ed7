package dev.sluice.limiter;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sweeps every few seconds, on a thread of its own that no exception ends. */
final class Housekeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final long EVERY_SECONDS = 5;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "sluice-housekeeper");
        daemon.setDaemon(true);
        return daemon;
    });

    Housekeeper(Runnable sweep) {
        var unused = thread.scheduleWithFixedDelay(() -> run(sweep), EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private static void run(Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException e) {
            LOG.warn(
                    "Sweeping idle counters failed; limits go on to be enforced, and the next sweep is in {} s",
                    EVERY_SECONDS,
                    e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
