package dev.sluice.internal.limiter.account;

/**
 * A point in time, read from two clocks. Immutable.
 *
 * @param nanos the time of the monotonic clock, which is used to measure elapsed time
 * @param millis the time of the store's clock, to which windows are aligned. This clock can be set
 */
public record Moment(long nanos, long millis) {

    /**
     * Whether at least the given number of milliseconds has passed since the given time, according to the monotonic
     * clock.
     */
    public boolean isAfter(long sinceNanos, long millisLater) {
        return nanos - sinceNanos >= millisLater * 1_000_000;
    }
}
