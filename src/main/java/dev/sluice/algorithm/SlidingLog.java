package dev.sluice.algorithm;

/**
 * Sliding logs: the times of all calls of the last period, in a ring. Exact in every span of time, for the price of a number for each call
 * within the threshold. For one thread at a time.
 *
 * <p>A clock that has stepped back by more than a period leaves times that lie ahead; they count as now.
 */
public final class SlidingLog {

    /** As all lengths of the ring, a power of two. */
    private static final int FIRST_LENGTH = 8;

    private final long most;
    private final long periodMillis;
    private long[] times = new long[FIRST_LENGTH];
    private int oldest;
    private int count;

    /**
     * An empty log.
     *
     * @param most calls of a period
     */
    public SlidingLog(long most, long periodMillis) {
        this.most = most;
        this.periodMillis = periodMillis;
    }

    /** How many more calls may pass now. */
    public long left(long nowMillis) {
        forgetOld(nowMillis);
        return left();
    }

    /** How many more calls could pass when it was last asked or told of one. */
    public long left() {
        return most - count;
    }

    /** Notes so many calls of now, if as many as {@code remaining} may pass after them; whether it is so. */
    public boolean take(long cost, long nowMillis, long remaining) {
        if (cost + remaining > left(nowMillis)) {
            return false;
        }
        long time = count == 0 ? nowMillis : Math.max(nowMillis, time(count - 1));
        for (long i = 0; i < cost; i++) {
            add(time);
        }
        return true;
    }

    /** Forgets so many calls, of those noted then or later the earliest. */
    public void putBack(long cost, long takenAtMillis) {
        int first = 0;
        while (first < count && time(first) < takenAtMillis) {
            first++;
        }
        int forgotten = (int) Math.min(cost, count - first);
        for (int i = first; i + forgotten < count; i++) {
            times[place(i)] = time(i + forgotten);
        }
        count -= forgotten;
    }

    /** The time until so many calls may pass, at most until all are forgotten. */
    public long millisUntil(long cost, long nowMillis) {
        long lacking = Math.min(cost, most) - left(nowMillis);
        return lacking <= 0 ? 0 : time((int) lacking - 1) + periodMillis - nowMillis;
    }

    /** When all calls will be forgotten, unless the clock steps back. */
    public long emptyAtMillis() {
        return count == 0 ? 0 : time(count - 1) + periodMillis;
    }

    /** The time until all calls are forgotten, given what {@link #emptyAtMillis} says. For any thread. */
    public long millisUntilEmpty(long emptyAtMillis, long nowMillis) {
        long millis = Math.max(0, emptyAtMillis - nowMillis);
        return millis > 2 * periodMillis ? periodMillis : millis;
    }

    private void forgetOld(long nowMillis) {
        while (count > 0 && time(0) <= nowMillis - periodMillis) {
            oldest = place(1);
            count--;
        }
        if (count > 0 && time(count - 1) > nowMillis + periodMillis) {
            for (int i = count - 1; i >= 0 && time(i) > nowMillis; i--) {
                times[place(i)] = nowMillis;
            }
        }
    }

    private void add(long time) {
        if (count == times.length) {
            long[] inOrder = new long[2 * count];
            int tail = times.length - oldest;
            System.arraycopy(times, oldest, inOrder, 0, tail);
            System.arraycopy(times, 0, inOrder, tail, oldest);
            times = inOrder;
            oldest = 0;
        }
        times[place(count++)] = time;
    }

    private long time(int number) {
        return times[place(number)];
    }

    private int place(int number) {
        return (oldest + number) & (times.length - 1);
    }
}
