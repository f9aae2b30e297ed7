package dev.sluice.cli.rehearse.tally;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;

/**
 * Divides the time of a log into at most a few hundred buckets of equal length. When the log outgrows the buckets,
 * their length doubles. Buckets are aligned to the epoch. Not thread-safe.
 */
final class TimeGrid {

    private static final int MOST = 600;

    private final List<Series> series = new ArrayList<>();
    private long bucketMillis;
    /** The number of the first bucket, counted from the epoch; -1 while there are no buckets. */
    private long first = -1;

    /** The number of the last bucket, counted from the epoch. */
    private long last = -1;

    /** Creates a grid that starts with buckets of the given length. */
    TimeGrid(long bucketMillis) {
        this.bucketMillis = bucketMillis;
    }

    /** Returns the index of the bucket that contains the given moment. Earlier moments belong to the first bucket. */
    int at(long millis) {
        long number = Math.floorDiv(millis, bucketMillis);
        if (first < 0) {
            first = number;
        }
        while (number - first >= MOST) {
            bucketMillis *= 2;
            long before = first;
            first = Math.floorDiv(first, 2L);
            long firstNow = first;
            last = Math.floorDiv(last, 2L);
            series.forEach(one -> one.halve(before, firstNow));
            number = Math.floorDiv(millis, bucketMillis);
        }
        last = Math.max(last, number);
        return (int) Math.max(0, number - first);
    }

    Series newSeries(int periods) {
        Series made = new Series(periods, MOST);
        series.add(made);
        return made;
    }

    void forget(Series one) {
        series.remove(one);
    }

    long bucketMillis() {
        return bucketMillis;
    }

    /** Returns the start of the first bucket, in milliseconds since 1970. */
    long startMillis() {
        return Math.max(0, first) * bucketMillis;
    }

    /** Returns the number of buckets so far. */
    int buckets() {
        return first < 0 ? 0 : (int) (last - first + 1);
    }

    /** The calls of one client in each bucket. */
    static final class Series {

        private final long[] refused;
        /**
         * The largest number of admitted calls in a single window that began in a bucket, for each period and bucket.
         */
        private final long[][] admitted;

        private Series(int periods, int buckets) {
            refused = new long[buckets];
            admitted = new long[periods][buckets];
        }

        void addRefused(int bucket) {
            refused[bucket]++;
        }

        void admitted(int period, int bucket, long amount) {
            admitted[period][bucket] = Math.max(admitted[period][bucket], amount);
        }

        /** Merges each pair of neighbouring buckets into one. */
        private void halve(long firstBefore, long firstNow) {
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

        /**
         * Returns the numbers of refused calls in the first buckets.
         *
         * @param buckets the number of buckets to read
         * @param joined the number of neighbouring buckets to join into one value
         */
        List<Long> refused(int buckets, int joined) {
            return joined(refused, buckets, joined, Long::sum);
        }

        /**
         * Returns, for the first buckets, the largest number of admitted calls in a single window of the given period.
         */
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
}
