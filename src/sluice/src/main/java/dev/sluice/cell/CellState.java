package dev.sluice.cell;

import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.algorithm.Gcra;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link Cell} as immutable values, for stores that keep cells in a format of their own. {@link
 * CellText} is a ready format. {@link Cells#of(CellState)} makes the cell again. No component may be {@code null}
 * unless it is marked.
 *
 * @param contents what calls have used
 * @param holdings what instances hold; the instance whose last statement is oldest comes first
 * @param lapsed the permits that unresponsive instances held when their leases ended, the oldest first; the contents
 *     count them as used
 * @param waiting the instances whose calls wait for permits that others hold, in the order in which they began to wait
 * @param expiresAtMillis when the cell expires, unless another statement comes
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
     * What one instance holds.
     *
     * @param permits unspent permits; 0 if the instance only has calls in flight that may return their permits
     * @param untilMillis when its lease ends
     */
    public record Holding(String instance, long permits, long untilMillis) {}

    /**
     * The permits that an unresponsive instance held when its lease ended. They count as used until the next statement
     * of that instance reports its real use.
     *
     * @param sinceMillis when the lease ended
     */
    public record Lapsed(String instance, long permits, long sinceMillis) {}

    /**
     * An instance whose calls wait.
     *
     * @param permits how many they lack
     * @param least how many the first of these calls lacks, as far as known; it has no use for fewer
     * @param untilMillis when this note expires
     */
    public record Waiting(String instance, long permits, long least, long untilMillis) {}

    /** What calls have used, in the form that the rule needs. */
    public sealed interface Contents permits Total, Bucket, Log, Slots {}

    /**
     * The use of a window or frame.
     *
     * @param given how many calls operators have let pass beyond the limit
     */
    public record Total(long used, long given) implements Contents {}

    /**
     * The use of a bucket.
     *
     * @param gcra the bucket's figures
     * @param before the pace before the bucket's figures last changed, if calls of that time may still be reported;
     *     otherwise {@code null}
     * @param periods the spans in which the bucket was not full, oldest first
     */
    public record Bucket(Gcra gcra, BusyPeriods.@Nullable Before before, List<Busy> periods) implements Contents {
        public Bucket {
            periods = List.copyOf(periods);
        }
    }

    /** A span in which a bucket was not full, and the calls made in it. */
    public record Busy(long startMillis, long calls) {}

    /** The times of calls, oldest first. */
    public record Log(List<Entry> entries) implements Contents {
        public Log {
            entries = List.copyOf(entries);
        }
    }

    /**
     * The calls that one instance made at one time, in a log.
     *
     * @param calls how many, or what they cost; at least 1
     */
    public record Entry(long timeMillis, String instance, long calls) {
        public Entry {
            if (calls < 1) {
                throw new IllegalArgumentException("an entry of a log has at least one call, not " + calls);
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
     * @param asOfMillis when its calls occupied them, as it has reported
     * @param untilMillis when they become free, unless the instance reports again
     */
    public record Lease(String instance, long slots, long asOfMillis, long untilMillis) {}
}
