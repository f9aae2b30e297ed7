package dev.sluice.benchmarks.fleet.rig;

import dev.sluice.tier.Sync;

/** Calculates how many calls Sluice can admit beyond a limit with its default settings. */
public final class DefaultSlack {

    private DefaultSlack() {}

    /**
     * The number of calls that all instances together can admit before they learn of each other's calls. It is rounded
     * down, so it is 0 for limits below 100.
     */
    public static long calls(Rule rule, int instances) {
        return instances * (long) (Sync.DEFAULT.slack() * rule.threshold());
    }
}
