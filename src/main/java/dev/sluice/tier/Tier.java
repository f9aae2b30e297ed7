package dev.sluice.tier;

import java.math.BigDecimal;

/**
 * One limit of an endpoint; every tier of every matching endpoint must let a call pass.
 *
 * @param name tells the tiers of one endpoint apart in keys, headers and reports, for example {@code 10s}
 * @param limit how much is allowed
 * @param overage what may pass beyond that
 * @param sync how its counters are kept together over all instances
 */
public record Tier(String name, Limit limit, Overage overage, Sync sync) {

    /** A limit that is always strict is so whatever {@code sync} says. */
    public Tier {
        sync = limit.isAlwaysStrict() && !sync.strict() ? new Sync(sync.every(), 0, true) : sync;
    }

    /** A hard limit. */
    public Tier(String name, Limit limit, Sync sync) {
        this(name, limit, Overage.NONE, sync);
    }

    /** A hard limit that is kept together as a file gets it that says nothing of it. */
    public Tier(String name, Limit limit) {
        this(name, limit, Sync.DEFAULT);
    }

    /** The same with so many times its calls. */
    public Tier times(BigDecimal factor) {
        return new Tier(name, limit.times(factor), overage, sync);
    }

    /** The same, of which no call is admitted before the store was heard. */
    public Tier withoutSlack() {
        return new Tier(name, limit, overage, new Sync(sync.every(), 0, sync.strict()));
    }

    /** How many calls can pass at one moment, with those that pass beyond the limit. */
    public long most() {
        return limit.capacity() + beyond();
    }

    /** How many calls can pass beyond the limit. */
    public long beyond() {
        return overage.beyond(limit.capacity());
    }
}
