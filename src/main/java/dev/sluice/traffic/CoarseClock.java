package dev.sluice.traffic;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's time as of the last tick, fifty times a second: to read it costs a call next to nothing, and the machine's
 * own clock half of what all else does that is counted of a call. Ticks on a daemon thread of its own until it is closed.
 */
public final class CoarseClock implements InstantSource, AutoCloseable {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final InstantSource exact;
    private final Thread thread = new Thread(this::run, "sluice-clock");
    private volatile long millis;
    private volatile boolean closed;

    private CoarseClock(InstantSource exact) {
        this.exact = exact;
        this.millis = exact.millis();
        thread.setDaemon(true);
    }

    /** Begins to follow this clock. */
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

    /** It stands still from now on. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
