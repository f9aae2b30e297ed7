package dev.sluice.internal.limiter.block;

/**
 * The times at which one tier most recently refused one caller. Refusals are counted in groups, and only one time is
 * stored per group. Therefore, this object stays small even if a block requires many refusals. A block can begin late
 * by up to a twentieth of the required refusals, but never early. Thread-safe.
 */
final class RefusalTimes {

    private static final int MOST_GROUPS = 20;

    private final int after;
    private final int groupSize;
    /** A ring buffer with the start times of the groups. The newest group replaces the oldest. */
    private final long[] begins;

    private int latest = -1;
    private int groups;
    /** The number of refusals in the newest group. */
    private int inLatest;

    /** Creates an object for a block that requires the given number of refusals. */
    RefusalTimes(int after) {
        this.after = after;
        groupSize = (after + MOST_GROUPS - 1) / MOST_GROUPS;
        begins = new long[(after + groupSize - 1) / groupSize];
        inLatest = groupSize;
    }

    int after() {
        return after;
    }

    /** Returns the number of stored times. */
    int timesKept() {
        return begins.length;
    }

    /**
     * Adds a refusal. Returns whether there were {@link #after} refusals within {@code withinMillis}. If so, they are
     * forgotten.
     */
    synchronized boolean add(long nowMillis, long withinMillis) {
        if (inLatest == groupSize) {
            latest = (latest + 1) % begins.length;
            begins[latest] = nowMillis;
            groups = Math.min(groups + 1, begins.length);
            inLatest = 0;
        }
        inLatest++;
        long oldest = begins[(latest + 1 + begins.length - groups) % begins.length];
        long since = Math.abs(nowMillis - oldest); // if the clock was set back, the oldest time can be far ahead
        boolean areEnough = (groups - 1) * groupSize + inLatest >= after && since < withinMillis;
        if (areEnough) {
            groups = 0;
            inLatest = groupSize;
        }
        return areEnough;
    }
}
