package dev.sluice.limiter.balance;

/**
 * One moment, by two clocks.
 *
 * @param nanos by a steady clock, which tells how much time has passed
 * @param millis by the store's clock, which windows are cut by, and which can be set
 */
public record Moment(long nanos, long millis) {

    /** Whether so many milliseconds have passed since that moment of the steady clock. */
    public boolean isAfter(long sinceNanos, long millisLater) {
        return nanos - sinceNanos >= millisLater * 1_000_000;
    }
}
