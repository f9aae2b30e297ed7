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
     * The part of the remaining permits that all instances together may take ahead. Larger: instances recall more near
     * the limit. Smaller: instances ask more often.
     */
    public static final double PART_AHEAD = 0.5;

    /**
     * How many times as much the store recalls whenever an instance asks again for the same calls. Larger: holders that
     * need their permits lose them to one call. 1: a call waits for one holder after the other, and does not get what
     * many hold before it is refused.
     */
    public static final int RECALL_GROWTH = 4;

    /** How often that growth counts. More: the number to recall may overflow. Fewer: see {@link #RECALL_GROWTH}. */
    public static final int MOST_GROWTHS = 10;

    /**
     * The most waiting instances of a counter that are notified when permits come back. More: each exchange about the
     * counter reads more. Fewer: the others ask again by themselves, after a pause.
     */
    public static final int MOST_WAITING = 64;

    /**
     * The most lapsed leases of a counter that a store remembers; beyond that it forgets the oldest, whose permits stay
     * used. More: thousands of dead instances fill the counter of a month. Fewer: if the store stands still for a lease,
     * the leases of a whole fleet lapse at once, and not all instances get back what they held.
     */
    public static final int MOST_LAPSED = 512;

    /**
     * How long a store remembers a lapsed lease. Longer: dead instances fill the counter of a month. Shorter: an instance
     * that was frozen for longer does not get back what it held.
     */
    public static final Duration LONGEST_LAPSED = Duration.ofDays(1);

    /**
     * For how many leases the uses of a bucket are kept after it was full again. More: buckets that are not used stay
     * longer. Fewer: an instance that reports at the end of its lease counts calls as if the bucket had been full.
     */
    public static final int LATE_LEASES = 2;

    private StoreProtocol() {}

    /** How many permits to recall from others if this many are lacking, after that many recalls that have failed. */
    public static long toRecall(long lacking, int repeats) {
        return lacking * (long) Math.pow(RECALL_GROWTH, Math.min(repeats, MOST_GROWTHS));
    }
}
