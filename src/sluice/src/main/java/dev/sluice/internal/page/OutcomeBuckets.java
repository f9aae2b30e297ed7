package dev.sluice.internal.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The number of calls by outcome in each of the latest intervals. Its memory is bounded. Not thread-safe:
 * {@link TrafficHistory} guards it.
 */
final class OutcomeBuckets {

    /** The number of intervals that are kept, which cover fifteen minutes. */
    static final int KEPT = 90;

    /**
     * For each interval, its number and the calls that were allowed, refused, and would have been refused. For an
     * endpoint, the allowed calls whose decision reports another endpoint follow. The inner arrays never change.
     */
    private final long[][] buckets = new long[KEPT][];

    private long latest = -1;

    OutcomeBuckets() {
        Arrays.fill(buckets, new long[] {-1, 0, 0, 0});
    }

    /** Sets the present counts of one interval; returns whether they have changed. */
    boolean put(long number, long... counts) {
        long[] before = at(number);
        long[] bucket = new long[counts.length + 1];
        bucket[0] = number;
        System.arraycopy(counts, 0, bucket, 1, counts.length);
        buckets[index(number)] = bucket;
        latest = Math.max(latest, number);
        return !Arrays.equals(before, at(number));
    }

    private long[] at(long number) {
        return buckets[index(number)];
    }

    private static int index(long number) {
        return (int) Math.floorMod(number, (long) KEPT);
    }

    /** The number of the latest interval that was set. */
    long latest() {
        return latest;
    }

    /** The intervals of this range that have calls, in order. */
    List<long[]> between(long first, long last) {
        return LongStream.rangeClosed(Math.max(first, last - KEPT + 1), last)
                .filter(number -> at(number)[0] == number)
                .mapToObj(this::at)
                .filter(bucket -> bucket[1] + bucket[2] + bucket[3] > 0)
                .toList();
    }

    /** The weighted number of calls, in which each refusal counts several times. */
    long weight(long last, long ofRefusal) {
        return between(last - KEPT + 1, last).stream()
                .mapToLong(bucket -> bucket[1] + ofRefusal * (bucket[2] + bucket[3]))
                .sum();
    }
}
