package dev.sluice.config;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Looks at something again and again until it is closed, on a daemon thread of its own: a look at what the application
 * supplies may take long, and must hold up no other.
 */
final class Poller implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Knows what to do; {@link #start} begins.
     *
     * @param first from the start to the first look
     * @param interval from the end of one look to the next
     * @param look throws nothing
     */
    Poller(String name, Duration first, Supplier<Duration> interval, Runnable look) {
        this.thread = new Thread(() -> run(first, interval, look), name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run(Duration first, Supplier<Duration> interval, Runnable look) {
        Duration pause = first;
        while (!closesWithin(pause)) {
            look.run();
            pause = interval.get();
        }
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits, and tells whether this was closed meanwhile. */
    boolean closesWithin(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return isClosed(); // no other interrupt is our way of closing
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
