package dev.sluice.benchmarks.fleet.rig;

import dev.sluice.tier.Sync;

/** How many calls Sluice's default settings may admit beyond a limit. */
public final class DefaultSlack {

    private DefaultSlack() {}

    /**
     * How many calls all instances together may admit before they have heard of each other. Rounded down, so 0 for a
     * limit under 100.
     */
    public static long calls(Rule rule, int instances) {
        return instances * (long) (Sync.DEFAULT.slack() * rule.threshold());
    }
}
