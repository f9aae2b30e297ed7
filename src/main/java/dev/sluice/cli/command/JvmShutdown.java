package dev.sluice.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a command that the JVM is to end, by ^C for example, and lets it end only when the command has closed this, or
 * does not for long.
 */
public final class JvmShutdown implements AutoCloseable {

    private final Runnable onEnd;
    private final Duration patience;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::await, "stop");

    /**
     * Waits for the end.
     *
     * @param onEnd makes the command stop, on a thread of its own
     */
    public JvmShutdown(Duration patience, Runnable onEnd) {
        this.onEnd = onEnd;
        this.patience = patience;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await() {
        onEnd.run();
        try {
            var unused = closed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has done all that it wants to. */
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
