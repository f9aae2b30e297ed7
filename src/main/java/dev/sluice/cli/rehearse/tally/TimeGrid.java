package dev.sluice.cli.rehearse.tally;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the time of a log into at most a few hundred buckets of one length. If the log is longer, the buckets double in
 * length. Buckets are aligned to the epoch. Not thread-safe.
 */
final class TimeGrid {

    private static final int MOST = 600;

    private final List<ClientSeries> series = new ArrayList<>();
    private long bucketMillis;
    /** The number of the first bucket since the epoch; -1 before there is one. */
    private long first = -1;

    /** The number of the last bucket since the epoch. */
    private long last = -1;

    /** Starts with buckets of this length. */
    TimeGrid(long bucketMillis) {
        this.bucketMillis = bucketMillis;
    }

    /** The bucket of that moment; the first bucket for earlier moments. */
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

    ClientSeries newSeries(int periods) {
        ClientSeries made = new ClientSeries(periods, MOST);
        series.add(made);
        return made;
    }

    void forget(ClientSeries one) {
        series.remove(one);
    }

    long bucketMillis() {
        return bucketMillis;
    }

    /** When the first bucket begins, in milliseconds since 1970. */
    long startMillis() {
        return Math.max(0, first) * bucketMillis;
    }

    /** The number of buckets so far. */
    int buckets() {
        return first < 0 ? 0 : (int) (last - first + 1);
    }
}
