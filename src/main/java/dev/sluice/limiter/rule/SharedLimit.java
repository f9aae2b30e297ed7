package dev.sluice.limiter.rule;

import dev.sluice.Batch.Grant;
import dev.sluice.Batch.Rule;

/**
 * How one algorithm is shared by instances: the rule by which the store counts, and what its answers mean. Immutable.
 */
public interface SharedLimit {

    /**
     * The rule to claim by.
     *
     * @param inUse how much of what was taken here has not come back
     * @param waitingSinceMillis since when calls wait, by the store's clock; 0 if none does
     */
    Rule rule(long inUse, long waitingSinceMillis);

    /** What is known after this answer. */
    FleetUsage heard(Grant grant);

    /**
     * What is known before any answer.
     *
     * @param framesBefore the totals of the frames before, the newest first; empty of what has none
     */
    FleetUsage unheard(long[] framesBefore);

    /**
     * What is known once another instance was told that all is used and nobody holds any; only of what stays used for
     * its time.
     */
    default FleetUsage usedUp() {
        throw new IllegalStateException("comes back with time");
    }

    /** Whether what is used stays used as long as the pool lasts. */
    default boolean staysUsed() {
        return false;
    }

    /**
     * How long ago calls can have been made that still matter, where the store wants to know when they were; 0 where it
     * does not.
     */
    default long remembersMillis() {
        return 0;
    }

    /** Whether what calls take comes back when they end. */
    default boolean lendsPlaces() {
        return false;
    }
}
