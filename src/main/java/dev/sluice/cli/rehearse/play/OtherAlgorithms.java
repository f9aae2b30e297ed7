package dev.sluice.cli.rehearse.play;

import dev.sluice.Endpoint;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The same thresholds and periods, counted by each algorithm in turn. */
public final class OtherAlgorithms {

    private static final String TOKEN_BUCKET = "token-bucket";
    private static final String LEAKY_BUCKET = "leaky-bucket";
    private static final Map<String, UnaryOperator<Limit>> ALGORITHMS = algorithms();

    private OtherAlgorithms() {}

    private static Map<String, UnaryOperator<Limit>> algorithms() {
        Map<String, UnaryOperator<Limit>> algorithms = new LinkedHashMap<>();
        algorithms.put("fixed-window", limit -> new Limit.FixedWindow(limit.threshold(), limit.period()));
        algorithms.put("sliding-window", limit -> new Limit.SlidingWindow(limit.threshold(), limit.period(), 1));
        algorithms.put(
                "sliding-log",
                limit ->
                        new Limit.SlidingLog(Math.min(limit.threshold(), Limit.SlidingLog.MAX_LOGGED), limit.period()));
        algorithms.put(TOKEN_BUCKET, OtherAlgorithms::tokenBucket);
        algorithms.put(LEAKY_BUCKET, OtherAlgorithms::leakyBucket);
        return algorithms;
    }

    private static Limit tokenBucket(Limit limit) {
        long flow = Limit.nearestFlow(limit.threshold(), limit.period());
        return new Limit.TokenBucket(flow, limit.period(), Math.min(flow, Limit.mostHeld(flow, limit.period())));
    }

    private static Limit leakyBucket(Limit limit) {
        long flow = Limit.nearestFlow(limit.threshold(), limit.period());
        return new Limit.LeakyBucket(flow, limit.period(), 0, Duration.ZERO);
    }

    /**
     * One for each algorithm that is not that of all tiers already. Algorithms that come to the same are played once.
     */
    public static List<AlternativeLimits> of(Limits limits) {
        Map<String, UnaryOperator<Limit>> changes = new LinkedHashMap<>();
        ALGORITHMS.forEach((name, change) -> {
            if (changesAny(limits, change)) {
                changes.put(name, change);
            }
        });
        boolean isOneBucketEnough =
                changes.keySet().containsAll(List.of(TOKEN_BUCKET, LEAKY_BUCKET)) && areBucketsAlike(limits);
        List<AlternativeLimits> alternatives = new ArrayList<>();
        changes.forEach((name, change) -> {
            if (isOneBucketEnough && name.equals(TOKEN_BUCKET)) {
                alternatives.add(new AlternativeLimits(List.of(TOKEN_BUCKET, LEAKY_BUCKET), changed(limits, change)));
            } else if (!isOneBucketEnough || !name.equals(LEAKY_BUCKET)) {
                alternatives.add(new AlternativeLimits(List.of(name), changed(limits, change)));
            }
        });
        return alternatives;
    }

    private static boolean changesAny(Limits limits, UnaryOperator<Limit> change) {
        return limits.tiers()
                .anyMatch(tier ->
                        tier.limit().hasPeriod() && !change.apply(tier.limit()).equals(tier.limit()));
    }

    /** Whether a token bucket and a leaky bucket of these thresholds hold the same and drip alike. */
    private static boolean areBucketsAlike(Limits limits) {
        return limits.clients().isEmpty()
                && limits.tiers()
                        .map(Tier::limit)
                        .filter(Limit::hasPeriod)
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
                        client.who(), client.exempt(), client.multiply(), client.mode(), changed(client, change)))
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
                limits.waitingThreads());
    }

    private static Map<String, List<Tier>> changed(Client client, UnaryOperator<Limit> change) {
        Map<String, List<Tier>> changed = new LinkedHashMap<>();
        client.endpoints().forEach((id, tiers) -> changed.put(id, changed(tiers, change)));
        return changed;
    }

    private static List<Tier> changed(List<Tier> tiers, UnaryOperator<Limit> change) {
        return tiers.stream()
                .map(tier -> tier.limit().hasPeriod()
                        ? new Tier(tier.name(), change.apply(tier.limit()), tier.overage(), tier.sync())
                        : tier)
                .toList();
    }
}
