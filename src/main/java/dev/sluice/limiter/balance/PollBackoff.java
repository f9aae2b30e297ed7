package dev.sluice.limiter.balance;

/**
 * How often a limit that is known to be used up is asked about: something may have come back elsewhere. For one thread.
 */
final class PollBackoff {

    /** It is asked about after so many intervals, then after four times as many, and at last after this many. */
    private static final int FIRST_INTERVALS = 2;

    private static final int TIMES = 4;
    private static final int MOST_INTERVALS = 16;

    private final long everyNanos;
    private long nextNanos;
    private int intervals = FIRST_INTERVALS;

    PollBackoff(long everyNanos) {
        this.everyNanos = everyNanos;
    }

    /** The limit was found to be used up, or not. */
    void heard(boolean usedUp, long nowNanos) {
        intervals = usedUp ? intervals : FIRST_INTERVALS;
        nextNanos = nowNanos + intervals * everyNanos;
    }

    /** Whether it is time to ask; if so, the next time is later, also if no answer comes. */
    boolean isTime(long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            return false;
        }
        intervals = Math.min(intervals * TIMES, MOST_INTERVALS);
        nextNanos = nowNanos + intervals * everyNanos;
        return true;
    }
}
