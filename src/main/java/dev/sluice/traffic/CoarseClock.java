package dev.sluice.traffic;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that is updated fifty times a second: reading it costs a call almost nothing, while the machine's clock would
 * take half of the time for counting a call. A daemon thread updates it until it is closed.
 */
public final class CoarseClock implements InstantSource, AutoCloseable {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A server reports threads that are still there after the application as leaks, so what ends them waits this long. */
    private static final long LONGEST_END_MILLIS = 250;

    private final InstantSource exact;
    private final Thread thread = new Thread(this::run, "sluice-clock");
    private volatile long millis;
    private volatile boolean closed;

    private CoarseClock(InstantSource exact) {
        this.exact = exact;
        this.millis = exact.millis();
        thread.setDaemon(true);
    }

    /** Starts to follow a clock. */
    public static CoarseClock following(InstantSource exact) {
        CoarseClock clock = new CoarseClock(exact);
        clock.thread.start();
        return clock;
    }

    private void run() {
        while (!closed) {
            millis = exact.millis();
            LockSupport.parkNanos(this, TICK_NANOS);
        }
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis);
    }

    /** Stops the clock. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(LONGEST_END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
