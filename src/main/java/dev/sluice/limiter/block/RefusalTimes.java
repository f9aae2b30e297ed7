package dev.sluice.limiter.block;

/** When one caller was refused last, by one tier. Safe for any threads. */
final class RefusalTimes {

    /** A ring: the next time replaces the oldest. */
    private final long[] times;

    private int next;
    private int count;

    RefusalTimes(int most) {
        times = new long[most];
    }

    int most() {
        return times.length;
    }

    /** Adds a refusal; returns whether there were {@link #most} within that time, which are then forgotten. */
    synchronized boolean add(long nowMillis, long withinMillis) {
        times[next] = nowMillis;
        next = (next + 1) % times.length;
        count = Math.min(count + 1, times.length);
        long oldest = times[next];
        long since = Math.abs(nowMillis - oldest); // if the clock stepped back, the oldest may be far ahead
        boolean areEnough = count == times.length && since < withinMillis;
        if (areEnough) {
            count = 0;
        }
        return areEnough;
    }
}
