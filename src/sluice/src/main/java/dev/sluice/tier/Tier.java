package dev.sluice.tier;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One limit of an endpoint, and how it is applied. A call must pass every tier of every matching endpoint. Immutable
 * and thread-safe.
 *
 * @param name unique in its endpoint; part of keys, headers and reports, for example {@code 10s}
 * @param limit how much is allowed
 * @param overage how many calls may pass beyond the threshold
 * @param sync how instances share its counters
 * @param block when it blocks callers who keep calling after refusals; {@code null} for never
 */
public record Tier(
        String name,
        Limit limit,
        Overage overage,
        Sync sync,
        @Nullable BlockRule block) {

    /** Makes {@code sync} strict if the limit requires that. */
    public Tier {
        sync = limit.isAlwaysStrict() && !sync.strict() ? new Sync(sync.every(), 0, true) : sync;
    }

    /** A tier that never blocks callers. */
    public Tier(String name, Limit limit, Overage overage, Sync sync) {
        this(name, limit, overage, sync, null);
    }

    /** A tier without overage. */
    public Tier(String name, Limit limit, Sync sync) {
        this(name, limit, Overage.NONE, sync);
    }

    /** A tier without overage, shared in the default way. */
    public Tier(String name, Limit limit) {
        this(name, limit, Sync.DEFAULT);
    }

    /** A copy with its limit multiplied. */
    public Tier times(BigDecimal factor) {
        return new Tier(name, limit.times(factor), overage, sync, block);
    }

    /** A copy whose limit lets so many more calls pass, which operators have given to a counter: {@link Limit#plus}. */
    public Tier plus(long given) {
        return new Tier(name, limit.plus(given), overage, sync, block);
    }

    /** A copy without slack. */
    public Tier withoutSlack() {
        return new Tier(name, limit, overage, new Sync(sync.every(), 0, sync.strict()), block);
    }

    /** A copy with another rule for blocks; {@code null} for none. */
    public Tier withBlock(@Nullable BlockRule other) {
        return new Tier(name, limit, overage, sync, other);
    }

    /** The maximum number of calls that can pass at one moment, including overage. */
    public long most() {
        return limit.capacity() + maxOverage();
    }

    /** The maximum number of calls that can pass beyond the threshold. */
    public long maxOverage() {
        return overage.maxCalls(limit.capacity());
    }
}
