package dev.sluice.cli.rehearse.tally;

import java.util.Arrays;

/** What one client did in each bucket of time. Not thread-safe. */
public final class ClientSeries {

    private final long[] refused;
    /** For each period, the most calls admitted in one window that began in the bucket. */
    private final long[][] admitted;

    ClientSeries(int periods, int buckets) {
        refused = new long[buckets];
        admitted = new long[periods][buckets];
    }

    void addRefused(int bucket) {
        refused[bucket]++;
    }

    void admitted(int period, int bucket, long amount) {
        admitted[period][bucket] = Math.max(admitted[period][bucket], amount);
    }

    /** Merges each two buckets into one. */
    void halve(long firstBefore, long firstNow) {
        long[] refusedBefore = refused.clone();
        Arrays.fill(refused, 0);
        for (int i = 0; i < refusedBefore.length; i++) {
            refused[bucket(i, firstBefore, firstNow)] += refusedBefore[i];
        }
        for (long[] most : admitted) {
            long[] before = most.clone();
            Arrays.fill(most, 0);
            for (int i = 0; i < before.length; i++) {
                int at = bucket(i, firstBefore, firstNow);
                most[at] = Math.max(most[at], before[i]);
            }
        }
    }

    private static int bucket(int bucket, long firstBefore, long firstNow) {
        return (int) (Math.floorDiv(firstBefore + bucket, 2L) - firstNow);
    }

    /** The calls refused in each of the first buckets. */
    public long[] refused(int buckets) {
        return Arrays.copyOf(refused, buckets);
    }

    /** The most calls admitted in one window of that period, for each of the first buckets. */
    public long[] admitted(int period, int buckets) {
        return Arrays.copyOf(admitted[period], buckets);
    }
}
