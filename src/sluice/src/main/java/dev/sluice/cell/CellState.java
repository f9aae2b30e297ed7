package dev.sluice.cell;

import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.algorithm.Gcra;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link Cell} as immutable values, for stores that use their own storage format. {@link CellText}
 * provides a ready-made format. {@link Cells#of(CellState)} restores the cell. Components are never {@code null} unless
 * marked.
 *
 * @param contents the permits that calls have used
 * @param holdings the permits that instances hold. The instance whose last statement is oldest comes first
 * @param lapsed the permits that unresponsive instances held when their leases ended, oldest first. The contents count
 *     them as used
 * @param waiting the instances whose calls are waiting for permits held by other instances, in the order in which they
 *     began to wait
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
     * The permits held by one instance.
     *
     * @param permits the number of unspent permits; 0 if the instance has only calls in flight that could return their
     *     permits
     * @param untilMillis when the instance's lease ends
     */
    public record Holding(String instance, long permits, long untilMillis) {}

    /**
     * The permits held by an unresponsive instance when its lease ended. They count as used until that instance reports
     * its actual usage.
     *
     * @param sinceMillis when the lease ended
     */
    public record Lapsed(String instance, long permits, long sinceMillis) {}

    /**
     * An instance with waiting calls.
     *
     * @param permits the number of permits that the waiting calls still need
     * @param least the number of permits that the first waiting call still needs, if known. A smaller number would not
     *     help that call
     * @param untilMillis when this entry expires
     */
    public record Waiting(String instance, long permits, long least, long untilMillis) {}

    /** The permits that calls have used, in the form required by the rule. */
    public sealed interface Contents permits Total, Bucket, Log, Slots {}

    /**
     * The usage of a window or frame.
     *
     * @param given the number of calls that operators have allowed beyond the limit
     */
    public record Total(long used, long given) implements Contents {}

    /**
     * The usage of a bucket.
     *
     * @param gcra the bucket's figures
     * @param before the refill rate before the bucket's figures last changed; {@code null} if calls from before that
     *     change can no longer be reported
     * @param periods the periods in which the bucket was not full, oldest first
     */
    public record Bucket(Gcra gcra, BusyPeriods.@Nullable Before before, List<Busy> periods) implements Contents {
        public Bucket {
            periods = List.copyOf(periods);
        }
    }

    /** A period in which a bucket was not full, with the number of calls made in it. */
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
     * @param asOfMillis the time at which the slots were occupied, according to the instance's report
     * @param untilMillis when the slots become free, unless the instance reports again
     */
    public record Lease(String instance, long slots, long asOfMillis, long untilMillis) {}
}
