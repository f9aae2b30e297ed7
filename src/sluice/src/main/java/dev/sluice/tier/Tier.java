package dev.sluice.tier;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A limit of an endpoint, with the settings that determine how it is applied. A call must pass every tier of every
 * matching endpoint. Immutable and thread-safe.
 *
 * @param name the tier's name, for example {@code 10s}. The name is unique in the endpoint, and is part of keys,
 *     headers and reports
 * @param limit the number of allowed calls, and the algorithm
 * @param overage the number of calls that are allowed beyond the threshold
 * @param sync how instances share the tier's counters
 * @param block when the tier blocks callers that keep calling after refusals; {@code null} if the tier never blocks
 *     callers
 */
public record Tier(
        String name,
        Limit limit,
        Overage overage,
        Sync sync,
        @Nullable BlockRule block) {

    /** Makes {@code sync} strict if the limit requires it. */
    public Tier {
        sync = limit.isAlwaysStrict() && !sync.strict() ? new Sync(sync.every(), 0, true) : sync;
    }

    /** Creates a tier that never blocks callers. */
    public Tier(String name, Limit limit, Overage overage, Sync sync) {
        this(name, limit, overage, sync, null);
    }

    /** Creates a tier without overage. */
    public Tier(String name, Limit limit, Sync sync) {
        this(name, limit, Overage.NONE, sync);
    }

    /** Creates a tier without overage and with the default {@link Sync}. */
    public Tier(String name, Limit limit) {
        this(name, limit, Sync.DEFAULT);
    }

    /** A copy of this tier whose limit is multiplied by a factor. */
    public Tier times(BigDecimal factor) {
        return new Tier(name, limit.times(factor), overage, sync, block);
    }

    /**
     * A copy of this tier whose limit is raised by the number of calls that operators have given to a counter. See
     * {@link Limit#plus}.
     */
    public Tier plus(long given) {
        return new Tier(name, limit.plus(given), overage, sync, block);
    }

    /** A copy of this tier without slack. */
    public Tier withoutSlack() {
        return new Tier(name, limit, overage, new Sync(sync.every(), 0, sync.strict()), block);
    }

    /** A copy of this tier with the given rule for blocks; {@code null} for no rule. */
    public Tier withBlock(@Nullable BlockRule other) {
        return new Tier(name, limit, overage, sync, other);
    }

    /** The maximum number of calls that can pass immediately, including overage. */
    public long most() {
        return limit.capacity() + maxOverage();
    }

    /** The maximum number of calls that can pass beyond the threshold. */
    public long maxOverage() {
        return overage.maxCalls(limit.capacity());
    }
}
