package dev.sluice.cli.compare;

import java.util.ArrayDeque;
import java.util.Deque;

/** Counts the calls of the period that ends now, exactly. Add moments in their order. */
final class PerfectWindow {

    private final long periodMillis;
    private final Deque<Long> times = new ArrayDeque<>();

    PerfectWindow(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /** How many there were in the period that ends at that moment. */
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
