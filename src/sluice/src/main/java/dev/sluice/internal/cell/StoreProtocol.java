package dev.sluice.internal.cell;

import dev.sluice.internal.algorithm.BusyPeriods;
import java.time.Duration;

/**
 * The constants of the protocol between instances and stores, as used by the stores. The {@code Cell} classes use these
 * constants directly, and we insert them into the source of the Redis script. Instances do not depend on these values,
 * so changing one requires no other change. Data that a version with different values has stored is not converted. The
 * constants for buckets are in {@link BusyPeriods}.
 */
public final class StoreProtocol {

    /**
     * The fraction of the remaining permits that all instances together can take ahead. If it is larger, more permits
     * have to be recalled near the limit. If it is smaller, instances request permits more often.
     */
    public static final double PART_AHEAD = 0.5;

    /**
     * Each time an instance repeats a request for the same calls, the store multiplies the number of permits to recall
     * by this factor. If it is larger, a single call needlessly takes permits from holders that need them. If it is 1,
     * a call collects permits from only one holder at a time. With many holders, the call would then be refused before
     * it has collected enough.
     */
    public static final int RECALL_GROWTH = 4;

    /**
     * The maximum number of times that {@link #RECALL_GROWTH} is applied. If it is larger, the number of permits to
     * recall could overflow. If it is smaller, the effect is the same as that of a smaller {@link #RECALL_GROWTH}.
     */
    public static final int MOST_GROWTHS = 10;

    /**
     * The maximum number of waiting instances that a counter stores in order to notify them when permits are returned.
     * If it is larger, each exchange about the counter reads more data. If it is smaller, more instances have to wait
     * until their next retry.
     */
    public static final int MOST_WAITING = 64;

    /**
     * The maximum number of lapsed leases that a store remembers for one counter. Beyond that number, the store drops
     * the oldest leases, and their permits permanently count as used. If the maximum is larger, entries of thousands of
     * dead instances can accumulate in a monthly counter. If it is smaller, a large fleet can lose permits. If the
     * store stalls for the length of a lease, the leases of all instances lapse at the same time, and some instances
     * would not get their permits back.
     */
    public static final int MOST_LAPSED = 512;

    /**
     * How long a store remembers a lapsed lease. If it is longer, entries of dead instances accumulate in monthly
     * counters. If it is shorter, an instance that was frozen for a long time does not get its permits back.
     */
    public static final Duration LONGEST_LAPSED = Duration.ofDays(1);

    /**
     * How long a bucket's calls are stored after the bucket has become full again, measured in leases. If it is larger,
     * idle buckets stay in the store longer. If it is smaller, and an instance reports only at the end of its lease,
     * the store counts the reported calls as if the bucket had been full.
     */
    public static final int LATE_LEASES = 2;

    private StoreProtocol() {}

    /**
     * The number of permits to recall, given the number of permits that are missing and the number of recalls that have
     * failed.
     */
    public static long toRecall(long lacking, int repeats) {
        return lacking * (long) Math.pow(RECALL_GROWTH, Math.min(repeats, MOST_GROWTHS));
    }
}
