package dev.sluice.internal.limiter.rule;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The store is away, or was until a moment ago: what decides meanwhile. For that moment, other instances may have yet to report
 * what they admitted, so what the store says is left is not all left; then this instance keeps to its part.
 *
 * @param policy the policy in force
 * @param fleet how many instances there were when the store was last heard, and which of them this one is
 * @param sinceMillis since when it has been away
 * @param hasNewLimits whether limits have changed since: then the background knows what was used of a counter that is opened
 * @param isOver whether the store answers again: then it is asked for what this instance's part leaves
 */
public record Absence(OnFailure policy, Fleet fleet, long sinceMillis, boolean hasNewLimits, boolean isOver) {

    /** After this time, no instance is locked out of a limit that is smaller than the number of instances. */
    private static final long LONG_MILLIS = 1_000;

    /** The same now that the store answers; {@code null} if others do not matter to what this instance admits. */
    public @Nullable Absence over() {
        return policy == OnFailure.SHARE && fleet.instances() > 1
                ? new Absence(policy, fleet, sinceMillis, hasNewLimits, true)
                : null;
    }

    /**
     * This instance's part of one counter. What remains of a division goes to other instances for other counters.
     *
     * @param isKnown whether the store has ever answered for it
     */
    public Part part(CounterKey key, boolean isKnown, long nowMillis) {
        if (policy != OnFailure.SHARE) {
            return Part.WHOLE;
        }
        boolean isNew = key.end() > 0 ? key.start() >= sinceMillis : !isKnown;
        boolean isLong = nowMillis - sinceMillis > LONG_MILLIS;
        int instances = fleet.instances();
        int rank = fleet.isRanked() ? Math.floorMod((long) fleet.rank() + key.spread(), instances) : instances;
        return new Part(instances, rank, isNew && isLong ? 1 : 0);
    }

    /** How much may be used of a new counter before the background has seen it. */
    public long allowedAtOnce(long left) {
        return hasNewLimits && policy != OnFailure.ALLOW ? 0 : allowed(left);
    }

    /** How much may be used without asking, if this much is left of this instance's part as far as known. */
    public long allowed(long left) {
        if (isOver) {
            return 0;
        }
        return switch (policy) {
            case SHARE, LOCAL -> left;
            case ALLOW -> Limit.MAX_THRESHOLD;
            case DENY -> 0;
        };
    }
}
