package dev.sluice.benchmarks.fleet.rig;

import dev.sluice.tier.Sync;

/** The number of calls that Sluice's default settings may admit beyond a limit. */
public final class DefaultSlack {

    private DefaultSlack() {}

    /**
     * The number of calls that all instances together may admit before they know of each other's calls. It is rounded
     * down, so it is 0 for a limit below 100.
     */
    public static long calls(Rule rule, int instances) {
        return instances * (long) (Sync.DEFAULT.slack() * rule.threshold());
    }
}
