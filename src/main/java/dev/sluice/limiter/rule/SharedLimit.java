package dev.sluice.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one algorithm is shared by instances: the rule by which the store counts, and what its answers mean. Immutable.
 */
public interface SharedLimit {

    /**
     * The rule to claim by.
     *
     * @param inUse how much of what was taken here has not come back
     * @param waitingSinceMillis since when calls wait, by the store's clock; 0 if none does
     * @param nowMillis the store's time, at which this is so
     */
    Rule rule(long inUse, long waitingSinceMillis, long nowMillis);

    /** The rule of whoever has nothing in use. */
    default Rule rule() {
        return rule(0, 0, 0);
    }

    /** What is known after this answer. */
    FleetUsage heard(Grant grant);

    /**
     * What is known before any answer: that of a store which has counted nothing yet.
     *
     * @param framesBefore the totals of the frames before, the newest first; empty of what has none
     */
    default FleetUsage unheard(List<Long> framesBefore) {
        return heard(new Grant(0, 0, 0, framesBefore));
    }

    /**
     * What is known once another instance was told that all is used and nobody holds any; {@code null} where what is
     * used does not stay so as long as the pool lasts.
     */
    default @Nullable FleetUsage usedUp() {
        return null;
    }

    /**
     * Whether what a call takes flows in again while the call goes on, so that the store has to find out what comes back
     * if it does not count.
     */
    default boolean refillsMeanwhile() {
        return false;
    }

    /**
     * How long ago calls can have been made that still matter, where the store wants to know when they were; 0 where it
     * does not.
     */
    default long remembersMillis() {
        return 0;
    }
}
