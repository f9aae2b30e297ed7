package dev.sluice.cli.compare;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts exactly the calls in the period that ends at a given moment. Calls must be added in chronological order. Not
 * thread-safe.
 */
final class PerfectWindow {

    private final long periodMillis;
    private final Deque<Long> times = new ArrayDeque<>();

    PerfectWindow(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /** Returns the number of calls in the period that ends at the given moment. */
    int count(long nowMillis) {
        while (!times.isEmpty() && times.getFirst() <= nowMillis - periodMillis) {
            times.removeFirst();
        }
        return times.size();
    }

    void add(long nowMillis) {
        times.addLast(nowMillis);
    }
}
