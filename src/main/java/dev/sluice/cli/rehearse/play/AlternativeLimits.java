package dev.sluice.cli.rehearse.play;

import static java.util.Objects.requireNonNull;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Plays the calls to the same thresholds and periods, counted by another algorithm, and counts only refusals. Not
 * thread-safe.
 */
public final class AlternativeLimits implements AutoCloseable {

    private static final List<Algorithm> BUCKETS = List.of(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET);

    private final List<String> names;
    private final Player player;
    private final Map<String, RefusalCount> refusals = new LinkedHashMap<>();

    /** Stands for several algorithms if they give the same result. */
    private AlternativeLimits(List<Algorithm> algorithms, Limits limits) {
        this.names = algorithms.stream().map(Algorithm::word).toList();
        this.player = new Player(limits);
        limits.endpoints().forEach(endpoint -> refusals.put(endpoint.id(), new RefusalCount()));
    }

    /**
     * The limits with each algorithm that changes any tier. Algorithms with the same result are played once.
     */
    public static List<AlternativeLimits> of(Limits limits) {
        List<Algorithm> others = Stream.of(Algorithm.values())
                .filter(algorithm -> changesAny(limits, algorithm))
                .toList();
        boolean isOneBucketEnough = others.containsAll(BUCKETS) && areBucketsAlike(limits);
        return others.stream()
                .filter(algorithm -> !isOneBucketEnough || algorithm != Algorithm.LEAKY_BUCKET)
                .map(algorithm -> new AlternativeLimits(
                        isOneBucketEnough && algorithm == Algorithm.TOKEN_BUCKET ? BUCKETS : List.of(algorithm),
                        changed(limits, limit -> by(algorithm, limit))))
                .toList();
    }

    void play(LoggedCall call) {
        for (Decision one : player.play(call)) {
            Endpoint endpoint = one.endpoint();
            if (endpoint != null && RefusalCount.isRefusal(one)) {
                requireNonNull(refusals.get(endpoint.id())).add(one.subjects());
            }
        }
    }

    /** The names of the algorithms. */
    public List<String> names() {
        return names;
    }

    /** The refusals by the endpoint's id. */
    public Map<String, RefusalCount> refusals() {
        return refusals;
    }

    @Override
    public void close() {
        player.close();
    }

    /** The limit with this algorithm; unchanged if only its own algorithm supports its period. */
    private static Limit by(Algorithm algorithm, Limit limit) {
        if (limit.windows() instanceof Windows.Calendar) {
            return limit;
        }
        return switch (algorithm) {
            case FIXED_WINDOW -> new Limit.FixedWindow(limit.threshold(), limit.period());
            case SLIDING_WINDOW -> new Limit.SlidingWindow(limit.threshold(), limit.period(), 1);
            case SLIDING_LOG ->
                new Limit.SlidingLog(Math.min(limit.threshold(), Limit.SlidingLog.MAX_LOGGED), limit.period());
            case TOKEN_BUCKET -> tokenBucket(limit);
            case LEAKY_BUCKET -> leakyBucket(limit);
            case CONCURRENCY -> limit;
        };
    }

    private static Limit tokenBucket(Limit limit) {
        long flow = Limit.nearestFlow(limit.threshold(), limit.period());
        return new Limit.TokenBucket(flow, limit.period(), Math.min(flow, Limit.mostHeld(flow, limit.period())));
    }

    private static Limit leakyBucket(Limit limit) {
        long flow = Limit.nearestFlow(limit.threshold(), limit.period());
        return new Limit.LeakyBucket(flow, limit.period(), 0, Duration.ZERO);
    }

    private static boolean changesAny(Limits limits, Algorithm algorithm) {
        return limits.tiers()
                .map(Tier::limit)
                .anyMatch(limit -> limit.hasPeriod() && !by(algorithm, limit).equals(limit));
    }

    /** Whether a token bucket and a leaky bucket with these thresholds have the same capacity and rate. */
    private static boolean areBucketsAlike(Limits limits) {
        return limits.clients().isEmpty()
                && limits.plans().byName().isEmpty()
                && limits.tiers()
                        .map(Tier::limit)
                        .filter(limit -> limit.hasPeriod() && !(limit.windows() instanceof Windows.Calendar))
                        .allMatch(limit -> tokenBucket(limit).capacity()
                                        == leakyBucket(limit).capacity()
                                && tokenBucket(limit).threshold()
                                        == leakyBucket(limit).threshold());
    }

    private static Limits changed(Limits limits, UnaryOperator<Limit> change) {
        List<Endpoint> endpoints = limits.endpoints().stream()
                .map(endpoint ->
                        endpoint.withLimits(endpoint.per(), endpoint.mode(), changed(endpoint.tiers(), change)))
                .toList();
        List<Client> clients = limits.clients().stream()
                .map(client -> new Client(
                        client.who(),
                        client.exempt(),
                        client.multiply(),
                        client.mode(),
                        changed(client.endpoints(), change),
                        client.plan(),
                        client.displayName()))
                .toList();
        return new Limits(
                endpoints,
                limits.subjects(),
                limits.caseSensitive(),
                limits.maximumCounters(),
                limits.responses(),
                limits.sharing(),
                clients,
                limits.overrides(),
                limits.waitingThreads(),
                changed(limits.plans(), change));
    }

    private static Plans changed(Plans plans, UnaryOperator<Limit> change) {
        return plans.changed(plan ->
                new Plan(plan.name(), plan.exempt(), plan.multiply(), plan.mode(), changed(plan.endpoints(), change)));
    }

    private static Map<String, List<Tier>> changed(Map<String, List<Tier>> own, UnaryOperator<Limit> change) {
        Map<String, List<Tier>> changed = new LinkedHashMap<>();
        own.forEach((id, tiers) -> changed.put(id, changed(tiers, change)));
        return changed;
    }

    private static List<Tier> changed(List<Tier> tiers, UnaryOperator<Limit> change) {
        return tiers.stream()
                .map(tier -> tier.limit().hasPeriod()
                        ? new Tier(tier.name(), change.apply(tier.limit()), tier.overage(), tier.sync(), tier.block())
                        : tier)
                .toList();
    }
}
