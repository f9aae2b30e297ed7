package dev.sluice.limiter.balance;

/**
 * How often to ask again for a used-up limit, to which other instances may have returned something. Not safe for
 * several threads.
 */
final class PollBackoff {

    /** The first pause in intervals, the factor for each next one, and the longest. */
    private static final int FIRST_INTERVALS = 2;

    private static final int TIMES = 4;
    private static final int MOST_INTERVALS = 16;

    private final long everyNanos;
    private long nextNanos;
    private int intervals = FIRST_INTERVALS;

    PollBackoff(long everyNanos) {
        this.everyNanos = everyNanos;
    }

    /** Records an answer: the limit is used up, or not. */
    void answered(boolean usedUp, long nowNanos) {
        intervals = usedUp ? intervals : FIRST_INTERVALS;
        nextNanos = nowNanos + intervals * everyNanos;
    }

    /** Whether it is time to ask; if so, schedules the next time, whether or not an answer comes. */
    boolean isTime(long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            return false;
        }
        intervals = Math.min(intervals * TIMES, MOST_INTERVALS);
        nextNanos = nowNanos + intervals * everyNanos;
        return true;
    }
}
