package dev.sluice.internal.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The numbers of calls by outcome in each of the latest intervals. Memory is bounded. Not thread-safe: {@link
 * TrafficHistory} guards it.
 */
final class OutcomeBuckets {

    /** The number of stored intervals. Together, they cover fifteen minutes. */
    static final int KEPT = 90;

    /**
     * One array for each interval. It contains the interval's number, and the numbers of allowed calls, refused calls,
     * and calls that a dry run would have refused. The array of an endpoint also contains the number of allowed calls
     * whose decision reports a different endpoint. The inner arrays never change.
     */
    private final long[][] buckets = new long[KEPT][];

    private long latest = -1;

    OutcomeBuckets() {
        Arrays.fill(buckets, new long[] {-1, 0, 0, 0});
    }

    /** Sets the current counts for one interval. Returns whether the counts have changed. */
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

    /** Returns the number of the latest interval for which counts were set. */
    long latest() {
        return latest;
    }

    /** Returns the intervals in this range that contain calls, oldest first. */
    List<long[]> between(long first, long last) {
        return LongStream.rangeClosed(Math.max(first, last - KEPT + 1), last)
                .filter(number -> at(number)[0] == number)
                .mapToObj(this::at)
                .filter(bucket -> bucket[1] + bucket[2] + bucket[3] > 0)
                .toList();
    }

    /** Returns the weighted number of calls. Each refusal is counted several times. */
    long weight(long last, long ofRefusal) {
        return between(last - KEPT + 1, last).stream()
                .mapToLong(bucket -> bucket[1] + ofRefusal * (bucket[2] + bucket[3]))
                .sum();
    }
}
