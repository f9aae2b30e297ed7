package dev.sluice.internal.limiter.account;

/**
 * A point in time, read from two clocks. Immutable.
 *
 * @param nanos the monotonic clock, which measures elapsed time
 * @param millis the store's clock, to which windows are aligned; it can be set
 */
public record Moment(long nanos, long millis) {

    /** Whether at least this many milliseconds have passed since that time, by the monotonic clock. */
    public boolean isAfter(long sinceNanos, long millisLater) {
        return nanos - sinceNanos >= millisLater * 1_000_000;
    }
}
