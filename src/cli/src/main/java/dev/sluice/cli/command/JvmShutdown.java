package dev.sluice.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a command that the JVM shuts down, for example after ^C, and delays the shutdown until the command closes this,
 * for a limited time.
 */
public final class JvmShutdown implements AutoCloseable {

    private final Runnable onEnd;
    private final Duration longestDelay;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::await, "stop");

    /**
     * Registers with the JVM.
     *
     * @param onEnd stops the command; runs on another thread
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

    /** Lets the JVM end: the command is done. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is shutting down, and waited for this
        }
    }
}
