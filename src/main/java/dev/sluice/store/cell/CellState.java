package dev.sluice.store.cell;

import dev.sluice.algorithm.Gcra;
import java.util.List;

/**
 * All that there is to know of a {@link Cell}, as values that a store can write and read again.
 *
 * @param contents what was used
 * @param holdings what instances hold
 * @param expiresAtMillis when it goes away if nobody claims of it
 * @param spent whether nothing was left when it was claimed of last
 */
public record CellState(Contents contents, List<Holding> holdings, long expiresAtMillis, boolean spent) {

    public CellState {
        holdings = List.copyOf(holdings);
    }

    /**
     * What one instance holds.
     *
     * @param permits unspent
     * @param untilMillis when its lease ends
     */
    public record Holding(String instance, long permits, long untilMillis) {}

    /** What was used, in the terms of a rule. */
    public sealed interface Contents permits Total, Bucket, Log, Places {}

    /** Of a window or frame. */
    public record Total(long used) implements Contents {}

    /**
     * Of a bucket.
     *
     * @param gcra the bucket's figures
     * @param periods the times in which it was not full, the oldest first
     */
    public record Bucket(Gcra gcra, List<Busy> periods) implements Contents {
        public Bucket {
            periods = List.copyOf(periods);
        }
    }

    /** A time in which a bucket was not full, and the calls made in it. */
    public record Busy(long startMillis, long calls) {}

    /** The times of calls, the oldest first. */
    public record Log(List<Entry> entries) implements Contents {
        public Log {
            entries = List.copyOf(entries);
        }
    }

    /** One call of a log, and where it was made. */
    public record Entry(long timeMillis, String instance) {}

    /** The places that calls occupy. */
    public record Places(List<Lease> leases) implements Contents {
        public Places {
            leases = List.copyOf(leases);
        }
    }

    /**
     * The places of one instance.
     *
     * @param countedMillis when it told of them
     * @param untilMillis when they are free if it is not heard of again
     */
    public record Lease(String instance, long places, long countedMillis, long untilMillis) {}
}
