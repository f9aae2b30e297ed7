package dev.sluice.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Calls by outcome in each of the last intervals. Takes the same memory whatever is counted. */
final class OutcomeBuckets {

    /** Fifteen minutes. */
    static final int KEPT = 90;

    private static final int KINDS = 3;

    /** The number of the interval at each index. */
    private final long[] numbers = new long[KEPT];

    private final long[][] counts = new long[KINDS][KEPT];
    private long latest = -1;

    OutcomeBuckets() {
        Arrays.fill(numbers, -1);
    }

    /** Sets the calls of one interval so far; returns whether they have changed. */
    boolean put(long number, long allowed, long refused, long wouldRefuse) {
        int at = (int) Math.floorMod(number, (long) KEPT);
        boolean isChanged = numbers[at] != number
                || counts[0][at] != allowed
                || counts[1][at] != refused
                || counts[2][at] != wouldRefuse;
        latest = Math.max(latest, number);
        numbers[at] = number;
        counts[0][at] = allowed;
        counts[1][at] = refused;
        counts[2][at] = wouldRefuse;
        return isChanged;
    }

    /** The number of the last interval that was set. */
    long latest() {
        return latest;
    }

    /** The intervals of this range in which there were calls, in their order. */
    List<long[]> between(long first, long last) {
        return LongStream.rangeClosed(Math.max(first, last - KEPT + 1), last)
                .filter(this::isKept)
                .mapToObj(number -> {
                    int at = (int) Math.floorMod(number, (long) KEPT);
                    return new long[] {number, counts[0][at], counts[1][at], counts[2][at]};
                })
                .toList();
    }

    private boolean isKept(long number) {
        int at = (int) Math.floorMod(number, (long) KEPT);
        return numbers[at] == number && counts[0][at] + counts[1][at] + counts[2][at] > 0;
    }

    /** A weight by calls, in which refusals count more than calls that passed. */
    long weight(long last, long ofRefusal) {
        return between(last - KEPT + 1, last).stream()
                .mapToLong(bucket -> bucket[1] + ofRefusal * (bucket[2] + bucket[3]))
                .sum();
    }
}
