package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.List;

/**
 * Defines how instances share a limit that uses a given algorithm: the rule by which the store counts, and the meaning
 * of the store's answers. Immutable.
 */
public interface SharedLimit {

    /**
     * Returns the rule to send with a statement.
     *
     * @param inUse the number of slots that calls on this instance have taken but not freed
     * @param waitingSinceMillis the time of the store's clock when calls began to wait for permits that other instances
     *     hold; 0 if no call is waiting
     * @param nowMillis the time of these figures, according to the store's clock
     */
    Rule rule(long inUse, long waitingSinceMillis, long nowMillis);

    /** Returns the rule for an instance that has no slots in use. */
    default Rule rule() {
        return rule(0, 0, 0);
    }

    /** Returns the fleet's usage according to an answer that the store gave at the given time. */
    default FleetUsage usageAfter(Grant grant, long answeredMillis) {
        FleetUsage usage = usageWithoutGift(grant.asIfNotGiven(), answeredMillis);
        return grant.given() == 0 ? usage : new UsageWithGift(usage, grant.given());
    }

    /** Returns the fleet's usage as if operators had given no calls. */
    FleetUsage usageWithoutGift(Grant grant, long answeredMillis);

    /**
     * Returns the usage before the store's first answer, as if the store had recorded no calls.
     *
     * @param framesBefore the totals of earlier frames, newest first; empty if the limit has no frames
     */
    default FleetUsage initialUsage(List<Long> framesBefore) {
        return usageAfter(new Grant(0, 0, 0, framesBefore), 0);
    }

    /** Returns the maximum age of a use that is still relevant; 0 if the store does not require the times of uses. */
    default long useTimesKeptMillis() {
        return 0;
    }
}
