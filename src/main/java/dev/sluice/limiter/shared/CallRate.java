package dev.sluice.limiter.shared;

/**
 * The number of calls that one counter admitted here within the last interval, estimated from two intervals. Not safe
 * for several threads.
 */
public final class CallRate {

    private final long intervalNanos;
    private long startNanos;
    private long current;
    private long previous;

    public CallRate(long intervalNanos, long nowNanos) {
        this.intervalNanos = intervalNanos;
        this.startNanos = nowNanos;
    }

    /** Adds the calls admitted since the last report. */
    public void add(long calls, long nowNanos) {
        advance(nowNanos);
        current += Math.max(0, calls);
    }

    private void advance(long nowNanos) {
        long elapsed = nowNanos - startNanos;
        if (elapsed >= intervalNanos || elapsed < 0) {
            previous = elapsed >= 0 && elapsed < 2 * intervalNanos ? current : 0;
            current = 0;
            startNanos = elapsed >= 0 && elapsed < 2 * intervalNanos ? startNanos + intervalNanos : nowNanos;
        }
    }

    /** The estimated calls of the interval that ends now. */
    public double recent(long nowNanos) {
        advance(nowNanos);
        return current + previous * (1 - (double) (nowNanos - startNanos) / intervalNanos);
    }
}
