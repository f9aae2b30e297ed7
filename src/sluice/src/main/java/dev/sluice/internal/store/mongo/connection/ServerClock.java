package dev.sluice.internal.store.mongo.connection;

import java.util.function.LongSupplier;

/**
 * Estimates the server's time from this machine's monotonic clock and from timestamps in the server's replies. The
 * server takes each timestamp at some moment between the request and the reply, so the error is at most half of the
 * round-trip time. This class uses the timestamp with the smallest error until that timestamp is too old. All instances
 * use the server's time, so they agree on windows and leases even if their own clocks differ. Thread-safe.
 */
final class ServerClock {

    /**
     * The age of the best measurement at which even a less precise one replaces it. The age is limited because clocks
     * drift, and because a new primary has a different clock.
     */
    private static final long OLD_NANOS = 30_000_000_000L;

    private static final long ASK_EVERY_NANOS = 2_000_000_000L;

    private final LongSupplier nanoClock;
    private Sample best = new Sample(0, 0, Long.MAX_VALUE / 4);
    private long askedNanos;
    private boolean isAsked;

    /**
     * One measurement.
     *
     * @param serverNanos the server's time when the monotonic clock was {@code atNanos}
     * @param errorNanos the maximum possible error
     */
    private record Sample(long serverNanos, long atNanos, long errorNanos) {

        long at(long nanos) {
            return serverNanos + nanos - atNanos;
        }
    }

    ServerClock(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Whether it is time for a new measurement. */
    synchronized boolean isDue() {
        return !isAsked || nanoClock.getAsLong() - askedNanos >= ASK_EVERY_NANOS;
    }

    /** Forces a new measurement at the next exchange, because a different server might have become primary. */
    synchronized void discard() {
        isAsked = false;
    }

    /** Adds a measurement. */
    synchronized void measured(long serverMillis, long sentNanos) {
        // The server truncates its time to whole milliseconds. Therefore, use the middle of the millisecond, and add
        // one millisecond to the error.
        long now = nanoClock.getAsLong();
        long error = (now - sentNanos) / 2 + 1_000_000;
        Sample sample = new Sample(serverMillis * 1_000_000 + 500_000, now - (now - sentNanos) / 2, error);
        boolean isOld = now - best.atNanos >= OLD_NANOS;
        boolean contradicts = Math.abs(sample.at(now) - best.at(now)) > error + best.errorNanos;
        if (isOld || contradicts || error <= best.errorNanos) {
            best = sample;
        }
        askedNanos = now;
        isAsked = true;
    }

    /** The server's current time, in milliseconds since 1970. */
    synchronized long millis() {
        return Math.floorDiv(best.at(nanoClock.getAsLong()), 1_000_000L);
    }
}
