package dev.sluice.benchmarks.fleet.bursts;

import static dev.sluice.benchmarks.fleet.rig.Rule.Limit.bucket;
import static dev.sluice.benchmarks.fleet.rig.Rule.Limit.window;

import dev.sluice.benchmarks.fleet.rig.Rule;
import java.time.Duration;
import java.util.List;

/** The patterns that are played, with infrequent callers and long windows. */
final class Patterns {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    private static final Rule FIVE = Rule.of(window(5, HOUR));
    private static final Rule FIVE_IN_TEN_SECONDS = Rule.of(window(5, Duration.ofSeconds(10)));
    private static final Rule TEN = Rule.of(window(10, HOUR));
    private static final Rule TWENTY = Rule.of(window(20, HOUR));
    private static final Rule HUNDRED = Rule.of(window(100, HOUR));
    private static final Rule TWO_TIERS = Rule.of(window(60, HOUR), window(80, DAY));
    private static final Rule TWO_ENDPOINTS =
            Rule.of(window(30, HOUR), window(200, HOUR).of("get-anything"));
    private static final Rule BUCKET = Rule.of(bucket(100, HOUR));

    static final List<Pattern> ALL = List.of(
            pattern("limit 100: 40 in turn, 10 ms apart (a page)", 3, HUNDRED, 40, 10, Deal.IN_TURN),
            pattern("limit 100: 90 at once, at random", 3, HUNDRED, 90, 0, Deal.AT_RANDOM),
            pattern("limit 100: 49 to one instance, then 49 to another", 3, HUNDRED, 98, 10, Deal.MOVED),
            pattern("limit 10: 12 in turn, 50 ms apart", 3, TEN, 12, 50, Deal.IN_TURN),
            pattern("limit 5: 7 in turn, 300 ms apart", 3, FIVE, 7, 300, Deal.IN_TURN),
            new Pattern(
                    "limit 5 in 10 s: 5 in turn, then 5 to one in the next window",
                    3,
                    FIVE_IN_TEN_SECONDS,
                    5,
                    Duration.ofMillis(50),
                    Deal.IN_TURN,
                    true),
            pattern("limit 20: 24 in turn, 10 ms apart", 8, TWENTY, 24, 10, Deal.IN_TURN),
            pattern("limit 100: 60 in turn, 2 ms apart", 8, HUNDRED, 60, 2, Deal.IN_TURN),
            pattern("60 in 1h and 80 in 1d: 70 at random, 10 ms apart", 3, TWO_TIERS, 70, 10, Deal.AT_RANDOM),
            pattern("two endpoints, 30 and 200: 36 in turn, 20 ms apart", 3, TWO_ENDPOINTS, 36, 20, Deal.IN_TURN),
            pattern("token bucket 100: 40 in turn, 10 ms apart", 3, BUCKET, 40, 10, Deal.IN_TURN),
            pattern("token bucket 100: 90 at once, at random", 3, BUCKET, 90, 0, Deal.AT_RANDOM));

    private Patterns() {}

    private static Pattern pattern(String name, int instances, Rule rule, int calls, int millisApart, Deal deal) {
        return new Pattern(name, instances, rule, calls, Duration.ofMillis(millisApart), deal, false);
    }
}
