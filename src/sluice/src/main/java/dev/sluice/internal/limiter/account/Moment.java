package dev.sluice.internal.limiter.account;

/**
 * A point in time on two clocks. Immutable.
 *
 * @param nanos the monotonic clock, for elapsed time
 * @param millis the store's clock, which windows are aligned to and which can be set
 */
public record Moment(long nanos, long millis) {

    /** Whether this many milliseconds have passed since that time, by the monotonic clock. */
    public boolean isAfter(long sinceNanos, long millisLater) {
        return nanos - sinceNanos >= millisLater * 1_000_000;
    }
}
