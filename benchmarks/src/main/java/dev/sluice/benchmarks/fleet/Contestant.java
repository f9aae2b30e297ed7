package dev.sluice.benchmarks.fleet;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One way of limiting a fleet, used as its documentation shows.
 *
 * @param opener starts one instance on the Redis of this uri
 * @param roundTrips how often instances waited for Redis, given how often Redis has run each command
 */
record Contestant(String name, Function<String, Instance> opener, ToLongFunction<Map<String, Long>> roundTrips) {

    static final String NOTHING = "nothing";
    static final String ARTICLE = "article";
    static final String SLUICE = "sluice";
    static final String SLUICE_EXACT = "sluice, slack 0";

    /** All contestants. */
    static List<Contestant> all() {
        return List.of(
                new Contestant(NOTHING, uri -> new NoLimiter(), stats -> 0),
                // INCRBY and EXPIRE are sent together
                new Contestant(ARTICLE, ArticleLimiter::new, stats -> count(stats, "incrby")),
                new Contestant(
                        "incr per call",
                        IncrementLimiter::new,
                        stats -> count(stats, "incr") + count(stats, "pexpire")),
                new Contestant("bucket4j", Bucket4jLimiter::plain, Contestant::bucket4jRoundTrips),
                new Contestant("bucket4j, delaying", Bucket4jLimiter::delaying, Contestant::bucket4jRoundTrips),
                new Contestant("bucket4j, predicting", Bucket4jLimiter::predicting, Contestant::bucket4jRoundTrips),
                new Contestant(SLUICE, SluiceLimiter::usual, Contestant::scripts),
                new Contestant(SLUICE_EXACT, SluiceLimiter::exact, Contestant::scripts));
    }

    /** One exchange is one script call; its batches here are never cut in two. */
    private static long scripts(Map<String, Long> stats) {
        return count(stats, "evalsha") + count(stats, "eval");
    }

    /** A GET, then a script to compare and set, each waited for; the script compares by a GET of its own if there was a value. */
    private static long bucket4jRoundTrips(Map<String, Long> stats) {
        return count(stats, "get") + count(stats, "set");
    }

    private static long count(Map<String, Long> stats, String command) {
        return stats.getOrDefault(command, 0L);
    }
}
