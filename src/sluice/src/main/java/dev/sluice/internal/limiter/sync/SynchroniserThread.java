package dev.sluice.internal.limiter.sync;

import dev.sluice.internal.thread.BackgroundThreads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drives a {@link Synchroniser} in real time, on a thread that survives all exceptions. Thread-safe. */
public final class SynchroniserThread implements Synchroniser.Driver {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    private static final long LONGEST_START_NANOS = 5_000_000_000L;
    private static final long STOPPING_MILLIS = 2_000;
    private static final long AFTER_AN_ERROR_NANOS = 1_000_000_000;

    private final Synchroniser synchroniser;
    private final Thread thread;
    private volatile boolean stopping;

    private SynchroniserThread(Function<Synchroniser.Driver, Synchroniser> made) {
        this.thread = BackgroundThreads.create("sluice-synchroniser", this::run);
        this.synchroniser = made.apply(this);
    }

    /**
     * Starts a synchroniser and its thread. If the store answers, windows are aligned to the store's clock from the
     * beginning.
     */
    public static Synchroniser start(Function<Synchroniser.Driver, Synchroniser> made) {
        SynchroniserThread driver = new SynchroniserThread(made);
        driver.synchroniser.loop.synchroniseClock(LONGEST_START_NANOS);
        driver.thread.start();
        return driver.synchroniser;
    }

    private void run() {
        boolean hasFailed = false;
        while (!stopping) {
            try {
                if (hasFailed) {
                    synchroniser.loop.recover();
                    hasFailed = false;
                }
                long nanos = synchroniser.loop.step() - System.nanoTime();
                if (nanos > 0 && !stopping) {
                    LockSupport.parkNanos(this, nanos);
                }
            } catch (Throwable e) { // if this thread ended, no more permits would be granted
                hasFailed = true;
                LOG.error(
                        "Unexpected error while exchanging with the store. Limits are still enforced. Retrying in 1 s",
                        e);
                pauseAfterError();
            }
        }
    }

    /** Pauses after an error. Only {@link #stop} ends the pause early; a wake-up does not. */
    private void pauseAfterError() {
        long deadline = System.nanoTime() + AFTER_AN_ERROR_NANOS;
        for (long remaining = AFTER_AN_ERROR_NANOS;
                remaining > 0 && !stopping;
                remaining = deadline - System.nanoTime()) {
            LockSupport.parkNanos(this, remaining);
        }
    }

    @Override
    public void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public boolean stop() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOPPING_MILLIS);
        while (thread.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                thread.join(STOPPING_MILLIS / 10);
            } catch (InterruptedException e) {
                interrupted = true; // keeps waiting, because two threads must never step at the same time
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
