package dev.sluice.cli.compare;

/** Counts the calls of the period that ends now, exactly. Moments come in order. */
final class PerfectWindow {

    private final long periodMillis;
    private long[] times = new long[64];
    private int first;
    private int size;

    PerfectWindow(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /** How many there were in the period that ends at that moment. */
    int count(long nowMillis) {
        while (size > 0 && times[first] <= nowMillis - periodMillis) {
            first = (first + 1) % times.length;
            size--;
        }
        return size;
    }

    void add(long nowMillis) {
        if (size == times.length) {
            long[] longer = new long[2 * size];
            for (int i = 0; i < size; i++) {
                longer[i] = times[(first + i) % size];
            }
            times = longer;
            first = 0;
        }
        times[(first + size++) % times.length] = nowMillis;
    }
}
