package dev.sluice.limiter;

/**
 * How often one share has something to say to the store: at the end of each interval, and where the limit is used up ever more
 * seldom. The background's alone.
 */
final class Patience {

    private static final int SELDOM = 3;

    private final long everyMillis;
    /** Whether what is used up may be there again at any moment. */
    private final boolean hopeful;

    private long regularlyMillis;
    private long askAgainMillis;
    private int asksInVain;

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
        asksInVain = Math.min(asksInVain + 1, SELDOM);
        return true;
    }

    /** The store has answered, and there is something left of the limit or not. */
    void heard(boolean left, long nowMillis) {
        asksInVain = left ? 0 : asksInVain;
        askAgainMillis = nowMillis + (hopeful ? everyMillis : (2 * everyMillis) << asksInVain);
    }
}
