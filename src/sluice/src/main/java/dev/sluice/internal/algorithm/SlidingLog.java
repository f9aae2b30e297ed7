package dev.sluice.internal.algorithm;

/**
 * A sliding log, which stores the times of all calls in the last period in a ring buffer. The limit is exact for any
 * time span of one period. A log stores one number for each millisecond in which calls were made, but never more
 * numbers than the threshold. Not thread-safe.
 *
 * <p>If the clock is set back by more than one period, calls in the future are treated as if they were made now.
 */
public final class SlidingLog {

    /** The initial length of the ring; always a power of two. */
    private static final int FIRST_LENGTH = 8;

    /**
     * The number of low-order bits of an entry, which contain the number of calls. The upper bits contain the time of
     * these calls.
     */
    private static final int CALL_BITS = 21;

    private static final long CALLS = (1L << CALL_BITS) - 1;

    private final long periodMillis;
    private long most;
    private long[] entries = new long[FIRST_LENGTH];
    private int oldest;
    private int length;
    private long calls;

    /**
     * Creates an empty log.
     *
     * @param most the maximum number of calls in a period, up to two million. That is the sum of the largest threshold
     *     and the largest tolerance
     */
    public SlidingLog(long most, long periodMillis) {
        this.periodMillis = periodMillis;
        allow(most);
    }

    /** Changes the maximum number of calls in a period. The logged calls remain. */
    public final void allow(long newMost) {
        if (newMost > CALLS) {
            throw new IllegalArgumentException("a log cannot hold " + newMost + " calls; the maximum is " + CALLS);
        }
        most = newMost;
    }

    /** The number of calls that can pass now; negative if the limit was lowered. */
    public long left(long nowMillis) {
        removeOld(nowMillis);
        return left();
    }

    /** The number of calls that could have passed when the log was last used. */
    public long left() {
        return most - calls;
    }

    /**
     * Logs {@code cost} calls now if at least {@code remaining} calls could still pass afterwards. Returns whether the
     * calls were logged.
     */
    public boolean take(long cost, long remaining, long nowMillis) {
        if (cost + remaining > left(nowMillis)) {
            return false;
        }
        if (cost > 0) {
            if (length == 0 || time(length - 1) < nowMillis) {
                add(nowMillis);
            }
            count(length - 1, cost);
        }
        return true;
    }

    /** Removes {@code cost} calls, starting with the earliest call made at or after {@code takenAtMillis}. */
    public void putBack(long cost, long takenAtMillis) {
        long lacking = cost;
        int first = firstSince(takenAtMillis);
        int next = first;
        while (next < length && lacking >= calls(next)) {
            lacking -= calls(next);
            calls -= calls(next);
            next++;
        }
        if (next < length) {
            count(next, -lacking);
        }
        remove(first, next);
    }

    /** The index of the first entry at or after the given time; the number of entries if there is none. */
    private int firstSince(long time) {
        int low = 0;
        int high = length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (time(middle) < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Removes entries, and closes the gap by moving the entries on the shorter side. These are usually the newest
     * entries, because most removed calls were made recently.
     */
    private void remove(int from, int to) {
        int gap = to - from;
        if (gap == 0) {
            return;
        }
        if (from < length - to) {
            for (int i = from - 1; i >= 0; i--) {
                entries[index(i + gap)] = entries[index(i)];
            }
            oldest = index(gap);
        } else {
            for (int i = to; i < length; i++) {
                entries[index(i - gap)] = entries[index(i)];
            }
        }
        length -= gap;
    }

    /** The number of entries. Each entry has at least one call. */
    int entries() {
        return length;
    }

    /**
     * The time until {@code cost} calls can pass. If {@code cost} exceeds the maximum, this is the time until the log
     * is empty.
     */
    public long millisUntil(long cost, long nowMillis) {
        long lacking = Math.min(cost, most) - left(nowMillis);
        long forgotten = 0;
        long millis = 0;
        for (int i = 0; forgotten < lacking; i++) {
            forgotten += calls(i);
            millis = time(i) + periodMillis - nowMillis;
        }
        return millis;
    }

    /** The time at which the log will be empty, unless the clock is set back. */
    public long emptyAtMillis() {
        return calls == 0 ? 0 : time(length - 1) + periodMillis;
    }

    /** The time until the log is empty, given the result of {@link #emptyAtMillis}. Can be called on any thread. */
    public long millisUntilEmpty(long emptyAtMillis, long nowMillis) {
        long millis = Math.max(0, emptyAtMillis - nowMillis);
        return millis > 2 * periodMillis ? periodMillis : millis;
    }

    /** Whether the newest call is so far in the future that the clock must have been set back. */
    public boolean isFarAheadOf(long nowMillis) {
        return length > 0 && time(length - 1) > nowMillis + periodMillis;
    }

    private void removeOld(long nowMillis) {
        while (length > 0 && time(0) <= nowMillis - periodMillis) {
            calls -= calls(0);
            oldest = index(1);
            length--;
        }
        if (isFarAheadOf(nowMillis)) {
            for (int i = length - 1; i >= 0 && time(i) > nowMillis; i--) {
                entries[index(i)] = nowMillis << CALL_BITS | calls(i);
            }
        }
    }

    private void add(long time) {
        if (length == entries.length) {
            long[] inOrder = new long[2 * length];
            int tail = entries.length - oldest;
            System.arraycopy(entries, oldest, inOrder, 0, tail);
            System.arraycopy(entries, 0, inOrder, tail, oldest);
            entries = inOrder;
            oldest = 0;
        }
        entries[index(length++)] = time << CALL_BITS;
    }

    private void count(int number, long more) {
        entries[index(number)] += more;
        calls += more;
    }

    private long time(int number) {
        return entries[index(number)] >> CALL_BITS;
    }

    private long calls(int number) {
        return entries[index(number)] & CALLS;
    }

    private int index(int number) {
        return (oldest + number) & (entries.length - 1);
    }
}
