package dev.sluice.cell;

import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.algorithm.Gcra;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link Cell} as immutable values, for stores with their own storage format. {@link CellText} is a
 * ready-made format. {@link Cells#of(CellState)} restores the cell. Components are never {@code null} unless marked.
 *
 * @param contents the permits that calls have used
 * @param holdings the permits that instances hold. The instance with the oldest last statement comes first
 * @param lapsed the permits that unresponsive instances held when their leases ended, oldest first. The contents
 *     include them as used permits
 * @param waiting the instances whose calls are waiting for permits that other instances hold, in the order in which
 *     they began to wait
 * @param expiresAtMillis when the cell expires, unless it receives another statement
 * @param usedUp whether no permits remained after the last statement
 */
public record CellState(
        Contents contents,
        List<Holding> holdings,
        List<Lapsed> lapsed,
        List<Waiting> waiting,
        long expiresAtMillis,
        boolean usedUp) {

    public CellState {
        holdings = List.copyOf(holdings);
        lapsed = List.copyOf(lapsed);
        waiting = List.copyOf(waiting);
    }

    /**
     * The permits that one instance holds.
     *
     * @param permits the number of unspent permits; 0 if the instance only has calls in flight that could return their
     *     permits
     * @param untilMillis when the instance's lease ends
     */
    public record Holding(String instance, long permits, long untilMillis) {}

    /**
     * The permits that an unresponsive instance held when its lease ended. They count as used until that instance
     * reports its actual use.
     *
     * @param sinceMillis when the lease ended
     */
    public record Lapsed(String instance, long permits, long sinceMillis) {}

    /**
     * An instance with waiting calls.
     *
     * @param permits the number of permits that the waiting calls lack
     * @param least the number of permits that the first waiting call lacks, if known. Fewer permits would not help that
     *     call
     * @param untilMillis when this entry expires
     */
    public record Waiting(String instance, long permits, long least, long untilMillis) {}

    /** The permits that calls have used, in the form required by the rule. */
    public sealed interface Contents permits Total, Bucket, Log, Slots {}

    /**
     * The use of a window or frame.
     *
     * @param given the number of calls that operators have allowed beyond the limit
     */
    public record Total(long used, long given) implements Contents {}

    /**
     * The use of a bucket.
     *
     * @param gcra the bucket's figures
     * @param before the refill rate before the bucket's figures last changed; {@code null} if no calls from before that
     *     change can still be reported
     * @param periods the periods in which the bucket was not full, oldest first
     */
    public record Bucket(Gcra gcra, BusyPeriods.@Nullable Before before, List<Busy> periods) implements Contents {
        public Bucket {
            periods = List.copyOf(periods);
        }
    }

    /** A period in which a bucket was not full, and the calls made in it. */
    public record Busy(long startMillis, long calls) {}

    /** The times of calls, oldest first. */
    public record Log(List<Entry> entries) implements Contents {
        public Log {
            entries = List.copyOf(entries);
        }
    }

    /**
     * An entry of a log: the calls that one instance made at one time.
     *
     * @param calls the number of calls, or their total cost; at least 1
     */
    public record Entry(long timeMillis, String instance, long calls) {
        public Entry {
            if (calls < 1) {
                throw new IllegalArgumentException("a log entry must have at least one call, not " + calls);
            }
        }
    }

    /** The slots that calls occupy. */
    public record Slots(List<Lease> leases) implements Contents {
        public Slots {
            leases = List.copyOf(leases);
        }
    }

    /**
     * The slots of one instance.
     *
     * @param asOfMillis the time for which the instance reported these slots as occupied
     * @param untilMillis when the slots become free, unless the instance reports again
     */
    public record Lease(String instance, long slots, long asOfMillis, long untilMillis) {}
}
