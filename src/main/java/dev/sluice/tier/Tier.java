package dev.sluice.tier;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One limit of an endpoint. Every tier of every matching endpoint must let a call pass.
 *
 * @param name unique in its endpoint, used in keys, headers and reports, for example {@code 10s}
 * @param limit how much is allowed
 * @param overage how many calls may pass over the threshold
 * @param sync how its counters are shared between instances
 * @param block when callers who go on after refusals are blocked; {@code null} for never
 */
public record Tier(
        String name,
        Limit limit,
        Overage overage,
        Sync sync,
        @Nullable BlockRule block) {

    /** Limits that are always strict override {@code sync}. */
    public Tier {
        sync = limit.isAlwaysStrict() && !sync.strict() ? new Sync(sync.every(), 0, true) : sync;
    }

    /** A tier that blocks nobody. */
    public Tier(String name, Limit limit, Overage overage, Sync sync) {
        this(name, limit, overage, sync, null);
    }

    /** A hard limit: no overage. */
    public Tier(String name, Limit limit, Sync sync) {
        this(name, limit, Overage.NONE, sync);
    }

    /** A hard limit with the default sharing. */
    public Tier(String name, Limit limit) {
        this(name, limit, Sync.DEFAULT);
    }

    /** This tier with its limit multiplied. */
    public Tier times(BigDecimal factor) {
        return new Tier(name, limit.times(factor), overage, sync, block);
    }

    /** This tier without slack. */
    public Tier withoutSlack() {
        return new Tier(name, limit, overage, new Sync(sync.every(), 0, sync.strict()), block);
    }

    /** This tier with another rule for blocks; {@code null} for none. */
    public Tier withBlock(@Nullable BlockRule other) {
        return new Tier(name, limit, overage, sync, other);
    }

    /** The most calls that can pass at one moment, with overage. */
    public long most() {
        return limit.capacity() + maxOverage();
    }

    /** The most calls that can pass over the limit. */
    public long maxOverage() {
        return overage.maxCalls(limit.capacity());
    }
}
