package dev.sluice.limiter.account;

/**
 * The number of calls that one counter admitted here within the last interval, estimated from two intervals.
 *
 * @param startNanos when the current interval began
 * @param current the calls of the current interval
 * @param previous the calls of the interval before
 */
public record CallRate(long intervalNanos, long startNanos, long current, long previous) {

    /** A rate of no calls. */
    public static CallRate none(long intervalNanos, long nowNanos) {
        return new CallRate(intervalNanos, nowNanos, 0, 0);
    }

    /** The rate with the calls that were admitted since the last report; negative if more came back. */
    public CallRate plus(long calls, long nowNanos) {
        CallRate rate = at(nowNanos);
        return calls <= 0 ? rate : new CallRate(intervalNanos, rate.startNanos, rate.current + calls, rate.previous);
    }

    /** The estimated calls of the interval that ends now. */
    public double recent(long nowNanos) {
        CallRate rate = at(nowNanos);
        return rate.current + rate.previous * (1 - (double) (nowNanos - rate.startNanos) / intervalNanos);
    }

    private CallRate at(long nowNanos) {
        long elapsed = nowNanos - startNanos;
        if (elapsed >= 0 && elapsed < intervalNanos) {
            return this;
        }
        return elapsed >= 0 && elapsed < 2 * intervalNanos
                ? new CallRate(intervalNanos, startNanos + intervalNanos, 0, current)
                : none(intervalNanos, nowNanos);
    }
}
