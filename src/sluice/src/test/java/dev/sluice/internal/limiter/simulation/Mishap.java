package dev.sluice.internal.limiter.simulation;

import java.util.Map;

/** What may happen to the instances, the links, the store and the limits of a fleet while it is called. */
public enum Mishap {
    NONE,
    /** An instance is cut off for some seconds, or dies. */
    TROUBLE,
    /** An instance stands still for ten seconds to a minute, so that its leases end. */
    FREEZES,
    /**
     * Something stands still for 20 to 200 ms, and then all goes well for 300 ms at least: an instance, only its
     * background, only the thread of the store's client, or the store.
     */
    STALLS,
    /** Clocks of instances step, by milliseconds or hours. */
    CLOCK_STEPS,
    /** Replies to an instance get lost for one to three minutes. */
    LONG_CUTS,
    /** No instance reaches the store for some seconds. */
    OUTAGES,
    /** Limits are loaded anew, with other figures that say the same. */
    RELOADS,
    /** The caller is given other limits, as by {@code sluice limits set}, which instances learn one after the other. */
    OVERRIDES,
    /** Some calls end with a status that does not count. */
    REFUNDS,
    /** The same, and calls await the outcome of those that took all. */
    AWAITED_OUTCOMES,
    /** Calls that do not count, and other limits: what a call took of one limit comes back to another one. */
    OVERRIDES_AND_REFUNDS;

    /** In which games something is wrong, and why. Whoever mends it takes it off. */
    public static final Map<Mishap, String> KNOWN_FAILURES = Map.of();

    /** Whether the caller is given other limits. */
    public boolean overrides() {
        return this == OVERRIDES || this == OVERRIDES_AND_REFUNDS;
    }

    /** Whether an instance may not be heard of for longer than its leases. */
    public boolean silences() {
        return this == TROUBLE || this == FREEZES || this == LONG_CUTS;
    }

    /** Whether some calls do not count. */
    public boolean refunds() {
        return this == REFUNDS || this == AWAITED_OUTCOMES || this == OVERRIDES_AND_REFUNDS;
    }
}
