package dev.sluice.benchmarks.fleet.rig;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * A way of limiting a fleet, used as its documentation describes.
 *
 * @param knows whether the contestant can express a rule
 * @param opener opens an instance that enforces the rule with the Redis server at this URI
 * @param roundTrips computes, from Redis statistics, the number of times that instances waited for Redis
 */
public record Contestant(
        String name,
        Predicate<Rule> knows,
        BiFunction<String, Rule, Instance> opener,
        ToLongFunction<Usage> roundTrips) {

    public static final String NOTHING = "nothing";
    public static final String ARTICLE = "article";
    public static final String INCREMENT = "incr per call";
    public static final String GCRA = "gcra per call";
    public static final String BUCKET4J = "bucket4j";
    public static final String BUCKET4J_DELAYING = "bucket4j, delaying";
    public static final String BUCKET4J_PREDICTING = "bucket4j, predicting";
    public static final String SLUICE = "sluice";
    public static final String SLUICE_EXACT = "sluice, slack 0";

    private static final List<Contestant> ALL = List.of(
            new Contestant(NOTHING, rule -> true, (uri, rule) -> new NoLimiter(), usage -> 0),
            // sends INCRBY and EXPIRE together
            new Contestant(ARTICLE, Rule::isWindows, ArticleLimiter::new, usage -> usage.runs("incrby")),
            // waits for INCR, and also for PEXPIRE after a key's first INCR
            new Contestant(
                    INCREMENT,
                    Rule::isOneWindow,
                    IncrementLimiter::new,
                    usage -> usage.runs("incr") + usage.runs("pexpire")),
            new Contestant(GCRA, Rule::isOneBucket, GcraLimiter::new, Contestant::scripts),
            new Contestant(BUCKET4J, Rule::isOneEndpoint, Bucket4jLimiter::plain, Contestant::compareAndSets),
            new Contestant(
                    BUCKET4J_DELAYING, Rule::isOneEndpoint, Bucket4jLimiter::delaying, Contestant::compareAndSets),
            new Contestant(
                    BUCKET4J_PREDICTING, Rule::isOneEndpoint, Bucket4jLimiter::predicting, Contestant::compareAndSets),
            new Contestant(SLUICE, rule -> true, SluiceLimiter::usual, Contestant::scripts),
            new Contestant(SLUICE_EXACT, rule -> true, SluiceLimiter::exact, Contestant::scripts));

    /** All contestants. */
    public static List<Contestant> all() {
        return ALL;
    }

    /** Sluice without slack, with at most the given number of counters in each instance's memory. */
    public static Contestant exactWithAtMost(int counters) {
        return new Contestant(
                SLUICE_EXACT,
                rule -> true,
                (uri, rule) -> SluiceLimiter.exact(uri, rule, counters),
                Contestant::scripts);
    }

    public static Contestant named(String name) {
        return ALL.stream()
                .filter(contestant -> contestant.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Whether this contestant can express a rule. */
    public boolean keeps(Rule rule) {
        return knows.test(rule);
    }

    /**
     * The number of exchanges. Each exchange is one script call, because batches are never split in this experiment.
     */
    private static long scripts(Usage usage) {
        return usage.runs("evalsha") + usage.runs("eval");
    }

    /**
     * Each call waits first for a GET and then for a compare-and-set script. If there was a value, the script itself
     * also runs a GET.
     */
    private static long compareAndSets(Usage usage) {
        return usage.runs("get") + usage.runs("set");
    }
}
