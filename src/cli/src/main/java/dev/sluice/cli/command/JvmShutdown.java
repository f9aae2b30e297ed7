package dev.sluice.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Notifies a command when the JVM is shutting down, for example after Ctrl+C. Delays the shutdown until the command has
 * called {@link #close}, but only for a limited time.
 */
public final class JvmShutdown implements AutoCloseable {

    private final Runnable onEnd;
    private final Duration longestDelay;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::await, "stop");

    /**
     * Registers with the JVM.
     *
     * @param onEnd the task that stops the command. The task runs on a separate thread
     */
    public JvmShutdown(Duration longestDelay, Runnable onEnd) {
        this.onEnd = onEnd;
        this.longestDelay = longestDelay;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await() {
        onEnd.run();
        try {
            var unused = closed.await(longestDelay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Signals that the command is done and the JVM can exit. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already shutting down. The hook has been waiting for the latch, and can end now.
        }
    }
}
