package dev.sluice.cli.compare;

import java.util.ArrayDeque;
import java.util.Deque;

/** An exact count of the calls in the period that ends now. Add moments in order. Not thread-safe. */
final class PerfectWindow {

    private final long periodMillis;
    private final Deque<Long> times = new ArrayDeque<>();

    PerfectWindow(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /** The number of calls in the period that ends at the given moment. */
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
