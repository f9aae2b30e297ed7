package dev.sluice.internal.cell;

import dev.sluice.internal.algorithm.BusyPeriods;
import java.time.Duration;

/**
 * The figures of the protocol on the side of the store. The {@code Cell} classes count by them, and so does the script
 * of Redis, whose text gets them from here. Instances rely on none of these values, so another value needs no other
 * change. But stores with data of a version with other values go on by theirs. Figures of buckets are in
 * {@link BusyPeriods}.
 */
public final class StoreProtocol {

    /**
     * The fraction of the remaining permits that all instances together may take ahead. If it is larger, instances
     * recall more near the limit. If it is smaller, instances ask more often.
     */
    public static final double PART_AHEAD = 0.5;

    /**
     * The factor by which the store recalls more permits each time that an instance asks again for the same calls. If
     * it is larger, a single call takes permits from holders that need them. If it is 1, a call collects permits from
     * one holder at a time. So if many instances hold them, the call is refused before it has collected enough.
     */
    public static final int RECALL_GROWTH = 4;

    /**
     * How often that growth counts. With more, the number to recall may overflow. With fewer, the effect is that of a
     * smaller {@link #RECALL_GROWTH}.
     */
    public static final int MOST_GROWTHS = 10;

    /**
     * The maximum number of waiting instances of a counter that are notified when permits come back. With more, each
     * exchange about the counter reads more. With fewer, the others ask again by themselves, after a pause.
     */
    public static final int MOST_WAITING = 64;

    /**
     * The maximum number of lapsed leases of a counter that a store remembers. If there are more, it forgets the
     * oldest, whose permits stay used. With more, thousands of dead instances fill the counter of a month. With fewer,
     * if the store stands still for a lease, the leases of a whole fleet lapse at once, and not all instances get back
     * the permits that they held.
     */
    public static final int MOST_LAPSED = 512;

    /**
     * How long a store remembers a lapsed lease. If it is longer, dead instances fill the counter of a month. If it is
     * shorter, an instance that was frozen for longer does not get back its permits.
     */
    public static final Duration LONGEST_LAPSED = Duration.ofDays(1);

    /**
     * For how many leases the uses of a bucket are kept after it was full again. With more, buckets that are not used
     * stay longer. With fewer, an instance that reports at the end of its lease counts calls as if the bucket had been
     * full.
     */
    public static final int LATE_LEASES = 2;

    private StoreProtocol() {}

    /** How many permits to recall from others, given the number of lacking permits and of failed recalls. */
    public static long toRecall(long lacking, int repeats) {
        return lacking * (long) Math.pow(RECALL_GROWTH, Math.min(repeats, MOST_GROWTHS));
    }
}
