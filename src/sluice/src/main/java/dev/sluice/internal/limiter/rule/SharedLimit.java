package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.List;

/** How instances share one algorithm: the rule that the store counts by, and what its answers mean. Immutable. */
public interface SharedLimit {

    /**
     * The rule to send with a statement.
     *
     * @param inUse the number of slots that calls here have taken and not freed
     * @param waitingSinceMillis when calls began to wait for permits that others hold, by the store's clock; 0 if none
     *     waits
     * @param nowMillis the time of these figures, by the store's clock
     */
    Rule rule(long inUse, long waitingSinceMillis, long nowMillis);

    /** The rule of an instance that has nothing in use. */
    default Rule rule() {
        return rule(0, 0, 0);
    }

    /** The fleet's usage according to an answer of that time. */
    default FleetUsage usageAfter(Grant grant, long answeredMillis) {
        FleetUsage usage = usageWithoutGift(grant.asIfNotGiven(), answeredMillis);
        return grant.given() == 0 ? usage : new UsageWithGift(usage, grant.given());
    }

    /** The same for a counter to which nothing was given. */
    FleetUsage usageWithoutGift(Grant grant, long answeredMillis);

    /**
     * The usage before any answer. It is the same as if the store had no calls.
     *
     * @param framesBefore the totals of earlier frames, newest first; empty without frames
     */
    default FleetUsage initialUsage(List<Long> framesBefore) {
        return usageAfter(new Grant(0, 0, 0, framesBefore), 0);
    }

    /** The maximum age of a use that still matters, if the store needs the times of uses; otherwise 0. */
    default long useTimesKeptMillis() {
        return 0;
    }
}
