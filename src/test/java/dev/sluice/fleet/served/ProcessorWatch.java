package dev.sluice.fleet.served;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Measures how long this process had to wait for a processor at worst, until it is closed. So may all others. */
final class ProcessorWatch implements AutoCloseable {

    private static final long PAUSE_NANOS = 2_000_000;

    private final Thread thread = new Thread(this::watch, "processor-watch");
    private volatile boolean ended;
    private volatile long longestNanos;

    ProcessorWatch() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long last = System.nanoTime();
        while (!ended) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long now = System.nanoTime();
            longestNanos = Math.max(longestNanos, now - last - PAUSE_NANOS);
            last = now;
        }
    }

    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestNanos);
    }

    @Override
    public void close() {
        ended = true;
    }
}
