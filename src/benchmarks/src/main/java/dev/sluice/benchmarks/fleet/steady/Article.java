package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Rule;
import java.time.Duration;

/**
 * The rule and the tenants of the article on which the experiment is based.
 */
final class Article {

    static final Rule RULE = Rule.ARTICLE;
    static final long THRESHOLD = RULE.threshold();
    static final Duration PERIOD = RULE.limits().get(0).period();
    static final long PERIOD_MILLIS = PERIOD.toMillis();
    static final int TENANTS = 25;

    private Article() {}

    static long windowOf(long epochMillis) {
        return Math.floorDiv(epochMillis, PERIOD_MILLIS);
    }
}
