package dev.sluice.cli.rehearse.tally;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The exact distribution of what clients asked for in one window. Not thread-safe. */
public final class WindowDistribution {

    private final NavigableMap<Long, Long> counts = new TreeMap<>();
    private long windows;
    private long asked;

    /** Adds a window in which a client asked for that much. */
    void add(long amount) {
        windows++;
        asked += amount;
        counts.merge(amount, 1L, Long::sum);
    }

    /** The number of windows in which a client asked for something. */
    public long windows() {
        return windows;
    }

    /** The sum of what clients asked for. */
    public long asked() {
        return asked;
    }

    /** In this part of the windows, clients asked for at most this much. */
    public long quantile(double part) {
        long rank = Math.max(1, (long) Math.ceil(part * windows));
        long seen = 0;
        for (Map.Entry<Long, Long> one : counts.entrySet()) {
            seen += one.getValue();
            if (seen >= rank) {
                return one.getKey();
            }
        }
        return 0;
    }

    /** The number of windows by what a client asked for in them. */
    public NavigableMap<Long, Long> counts() {
        return Collections.unmodifiableNavigableMap(counts);
    }

    /** How much fixed windows with that threshold would refuse. */
    public long refusedBy(long threshold) {
        return counts.tailMap(threshold, false).entrySet().stream()
                .mapToLong(one -> (one.getKey() - threshold) * one.getValue())
                .sum();
    }

    /** The lowest threshold with which fixed windows refuse at most this much. */
    public long thresholdRefusing(long atMost) {
        long over = 0; // windows above the current threshold
        long refused = 0;
        long threshold = windows == 0 ? 0 : counts.lastKey();
        for (Map.Entry<Long, Long> one : counts.descendingMap().entrySet()) {
            long steps = threshold - one.getKey();
            if (over > 0 && refused + over * steps > atMost) {
                return Math.max(1, threshold - (atMost - refused) / over);
            }
            refused += over * steps;
            threshold = one.getKey();
            over += one.getValue();
        }
        return over == 0 ? 1 : Math.max(1, threshold - (atMost - refused) / over);
    }
}
