package dev.sluice.internal.limiter.sync;

/**
 * An estimate of how long the store usually takes to answer. The estimate uses the smoothed duration of an exchange and
 * its smoothed deviation, as TCP does for its retransmission timeout (RFC 6298). Not thread-safe.
 */
final class ExchangeTimes {

    private static final int FEWEST = 8;
    private static final long RECENT_NANOS = 60_000_000_000L;
    private static final double WEIGHT = 0.125;
    private static final double WEIGHT_OF_DEVIATION = 0.25;
    private static final int DEVIATIONS = 4;

    private int samples;
    private long latestNanos;
    private double smoothed;
    private double deviation;

    /**
     * Adds the duration of an exchange that was sent only once. If a batch was sent several times, it is unknown which
     * attempt was answered.
     */
    void add(long tookNanos, long nowNanos) {
        if (samples == 0 || nowNanos - latestNanos > RECENT_NANOS) {
            samples = 0;
            smoothed = tookNanos;
            deviation = tookNanos / 2.0;
        } else {
            deviation += WEIGHT_OF_DEVIATION * (Math.abs(smoothed - tookNanos) - deviation);
            smoothed += WEIGHT * (tookNanos - smoothed);
        }
        latestNanos = nowNanos;
        samples = Math.min(samples + 1, FEWEST);
    }

    /**
     * Returns the time after which an answer is unusually late; 0 if there are too few recent exchanges for an
     * estimate.
     */
    long usualNanos(long nowNanos) {
        boolean isKnown = samples == FEWEST && nowNanos - latestNanos <= RECENT_NANOS;
        return isKnown ? (long) (smoothed + DEVIATIONS * deviation) : 0;
    }
}
