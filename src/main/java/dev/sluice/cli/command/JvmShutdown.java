package dev.sluice.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a command that the JVM shuts down, by ^C for example, and delays the shutdown until the command has closed
 * this, for a limited time.
 */
public final class JvmShutdown implements AutoCloseable {

    private final Runnable onEnd;
    private final Duration longestDelay;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::await, "stop");

    /**
     * Registers with the JVM.
     *
     * @param onEnd makes the command stop; called on another thread
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

    /** The command is done; the JVM may end. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is on its way out, and was waiting for this
        }
    }
}
