package dev.sluice.traffic;

import dev.sluice.internal.thread.BackgroundThreads;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that is updated fifty times a second. Reading it costs almost nothing, while reading the system clock would
 * take half of the time for counting a call. A daemon thread updates it until it is closed. Thread-safe.
 */
public final class CoarseClock implements InstantSource, AutoCloseable {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final InstantSource exact;
    private final Thread thread = BackgroundThreads.create("sluice-clock", this::run);
    private volatile long millis;
    private volatile boolean closed;

    private CoarseClock(InstantSource exact) {
        this.exact = exact;
        this.millis = exact.millis();
    }

    /** Starts a clock that follows this one. */
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

    /** Stops the thread; the clock keeps its last time. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        BackgroundThreads.awaitEnd(thread);
    }
}
