package dev.sluice.limiter;

/**
 * How often one share has something to say to the store: at the end of each interval, and where the limit is used up ever more
 * seldom. The background's alone.
 */
final class Patience {

    /** A limit that is used up is asked about after so many intervals, then after four times as many, and at last after this many. */
    private static final int FIRST_INTERVALS = 2;

    private static final int MORE_SELDOM = 4;
    private static final int MOST_INTERVALS = 16;

    private final long everyMillis;
    /** Whether what is used up may be there again at any moment. */
    private final boolean hopeful;

    private long regularlyMillis;
    private long askAgainMillis;
    private int intervals = FIRST_INTERVALS;

    Patience(long everyMillis, boolean hopeful, long nowMillis) {
        this.everyMillis = everyMillis;
        this.hopeful = hopeful;
        this.askAgainMillis = nowMillis;
    }

    /** Whether the time between two exchanges is over; if so, the next begins. */
    boolean comesRegularly(long nowMillis) {
        if (nowMillis < regularlyMillis) {
            return false;
        }
        regularlyMillis = nowMillis + everyMillis * 9 / 10;
        return true;
    }

    /** There is something to say at the next opportunity. */
    void comeSoon() {
        regularlyMillis = 0;
    }

    /** Whether it is time to ask once more about a limit that is used up; if so, the next time will be later. */
    boolean asksInVain(long nowMillis) {
        if (nowMillis < askAgainMillis) {
            return false;
        }
        intervals = Math.min(intervals * MORE_SELDOM, MOST_INTERVALS);
        return true;
    }

    /** The store has answered, and there is something left of the limit or not. */
    void heard(boolean left, long nowMillis) {
        intervals = left ? FIRST_INTERVALS : intervals;
        askAgainMillis = nowMillis + (hopeful ? everyMillis : intervals * everyMillis);
    }
}
