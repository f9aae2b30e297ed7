package dev.sluice.store.mongo.link;

import java.util.function.LongSupplier;

/**
 * The clock of the server, as this machine's steady clock and answers of the server tell it. Between two answers the
 * steady clock goes on. An answer says the time at some moment between question and answer, so it can be wrong by half
 * of what it took: one that took less is believed rather than one that took more, until that one is old. Safe for many
 * threads.
 */
final class ServerClock {

    /** An answer is believed against a better one once that is so old: clocks drift, and another server has another. */
    private static final long OLD_NANOS = 30_000_000_000L;

    private static final long ASK_EVERY_NANOS = 2_000_000_000L;

    private final LongSupplier nanoClock;
    private Sample believed = new Sample(0, 0, Long.MAX_VALUE / 4);
    private long askedNanos;
    private boolean isAsked;

    /**
     * What one answer has told.
     *
     * @param serverNanos the server's time when the steady clock said {@code atNanos}
     * @param errorNanos by so much it may be wrong
     */
    private record Sample(long serverNanos, long atNanos, long errorNanos) {

        long at(long nanos) {
            return serverNanos + nanos - atNanos;
        }
    }

    ServerClock(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Whether it is time to ask the server. */
    synchronized boolean isDue() {
        return !isAsked || nanoClock.getAsLong() - askedNanos >= ASK_EVERY_NANOS;
    }

    /** The server may be another one from now on. */
    synchronized void doubt() {
        isAsked = false;
    }

    /** The server has said that it is so late, when it was asked at that moment. */
    synchronized void heard(long serverMillis, long sentNanos) {
        long now = nanoClock.getAsLong();
        long error = (now - sentNanos) / 2 + 1_000_000;
        Sample sample = new Sample(serverMillis * 1_000_000 + 500_000, now - (now - sentNanos) / 2, error);
        boolean isOld = now - believed.atNanos >= OLD_NANOS;
        boolean contradicts = Math.abs(sample.at(now) - believed.at(now)) > error + believed.errorNanos;
        if (isOld || contradicts || error <= believed.errorNanos) {
            believed = sample;
        }
        askedNanos = now;
        isAsked = true;
    }

    /** The server's time now, in milliseconds since 1970. */
    synchronized long millis() {
        return Math.floorDiv(believed.at(nanoClock.getAsLong()), 1_000_000L);
    }
}
