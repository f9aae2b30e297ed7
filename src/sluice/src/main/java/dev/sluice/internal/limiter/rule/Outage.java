package dev.sluice.internal.limiter.rule;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONG_OUTAGE_MILLIS;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The rules that determine how calls are decided while the store is unavailable and for a short time afterwards. During
 * that time, some instances might not have reported all the calls that they admitted. Fewer permits might therefore
 * remain than the store reports, so this instance does not exceed its part. Immutable.
 *
 * <p>{@link StoreState} stores the outage, {@code ReplyReader} begins and ends it, and {@code Ledger} informs each
 * account. {@code Knowledge} determines what the outage means for the account.
 *
 * @param policy the policy in force
 * @param fleet the number of instances when the store last answered, and this instance's rank
 * @param sinceMillis the time of the first batch that the store did not answer
 * @param isOver whether the store is answering again. If so, this instance requests no more permits than remain in its
 *     part
 */
public record Outage(OnFailure policy, Fleet fleet, long sinceMillis, boolean isOver) {

    /**
     * Returns the rules that apply once the store answers again; {@code null} if the calls that this instance admits do
     * not depend on other instances.
     */
    public @Nullable Outage over() {
        return policy == OnFailure.SHARE && fleet.instances() > 1 ? new Outage(policy, fleet, sinceMillis, true) : null;
    }

    /**
     * Returns this instance's part of the given counter's limit. The part is the whole limit if the policy does not
     * divide limits or no other instance can use the counter. The remainder of the division is assigned to different
     * instances for different counters.
     *
     * @param isKnown whether the store has ever answered for the counter
     */
    public Part part(CounterKey key, boolean isKnown, long nowMillis) {
        if (policy != OnFailure.SHARE || isOfThisInstance(key)) {
            return Part.WHOLE;
        }
        boolean isNew = key.end() > 0 ? key.start() >= sinceMillis : !isKnown;
        int instances = fleet.instances();
        int rank = fleet.isRanked() ? Math.floorMod((long) fleet.rank() + key.spread(), instances) : instances;
        return new Part(instances, rank, isNew && isLong(nowMillis) ? 1 : 0);
    }

    /**
     * Whether the outage has already lasted for a long time. In windows that began during a long outage, each
     * instance's part is at least one call.
     */
    public boolean isLong(long nowMillis) {
        return nowMillis - sinceMillis > LONG_OUTAGE_MILLIS;
    }

    private static boolean isOfThisInstance(CounterKey key) {
        return key.subjects().stream().anyMatch(subject -> subject.source().equals(Subject.SERVER));
    }

    /**
     * Returns how many permits calls may use without the store.
     *
     * @param left the permits that are known to remain in this instance's part
     */
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
