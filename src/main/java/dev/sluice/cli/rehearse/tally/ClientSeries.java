package dev.sluice.cli.rehearse.tally;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** What one client did in each bucket of time. Not thread-safe. */
final class ClientSeries {

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

    /** The calls refused in each of the first buckets, so many of them joined into one. */
    List<Long> refused(int buckets, int joined) {
        return joined(refused, buckets, joined, Long::sum);
    }

    /** The most calls admitted in one window of that period, for the same buckets. */
    List<Long> admitted(int period, int buckets, int joined) {
        return joined(admitted[period], buckets, joined, Math::max);
    }

    private static List<Long> joined(long[] values, int buckets, int joined, LongBinaryOperator with) {
        List<Long> line = new ArrayList<>();
        for (int from = 0; from < buckets; from += joined) {
            line.add(Arrays.stream(values, from, Math.min(buckets, from + joined))
                    .reduce(with)
                    .orElse(0));
        }
        return line;
    }
}
