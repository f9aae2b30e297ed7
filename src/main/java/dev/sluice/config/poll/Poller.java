package dev.sluice.config.poll;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at something again and again until it is closed, on a daemon thread of its own: a look at what the application
 * supplies may take long, and must hold up no other.
 */
public final class Poller implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Look look;
    private final Consumer<Throwable> trouble;
    private final Thread thread;

    /** One look. */
    @FunctionalInterface
    public interface Look {
        void look() throws Exception;
    }

    /**
     * Knows what to do; {@link #start} begins.
     *
     * @param first from the start to the first look
     * @param interval from the end of one look to the next
     * @param trouble is given what a look throws, which may be anything; the next look may go well
     */
    public Poller(String name, Duration first, Supplier<Duration> interval, Look look, Consumer<Throwable> trouble) {
        this.look = look;
        this.trouble = trouble;
        this.thread = new Thread(() -> run(first, interval), name);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    private void run(Duration first, Supplier<Duration> interval) {
        Duration pause = first;
        while (!closesWithin(pause)) {
            look();
            pause = interval.get();
        }
    }

    /** Looks once. */
    public void look() {
        try {
            look.look();
        } catch (Throwable thrown) {
            complain(thrown);
        }
    }

    private void complain(Throwable thrown) {
        try {
            trouble.accept(thrown);
        } catch (Throwable ignored) {
            // nobody is left to tell
        }
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits, and tells whether this was closed meanwhile. */
    public boolean closesWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return isClosed(); // an interrupt that is not from close() only cuts the pause short
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
