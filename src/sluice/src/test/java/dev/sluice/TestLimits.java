package dev.sluice;

import dev.sluice.limits.Limits;
import dev.sluice.limits.Limits.PendingCalls;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Limits for tests, in short notation. */
public final class TestLimits {

    private static final Map<String, List<SubjectSource>> SUBJECTS = Map.of(
            "tenant",
            List.of(
                    new SubjectSource("header:X-Org-Id", call -> call.header("X-Org-Id")),
                    new SubjectSource("ip", Call::ip).trusted()),
            "user",
            List.of(new SubjectSource("principal", Call::principal).trusted()),
            "ip",
            List.of(new SubjectSource("ip", Call::ip).trusted()));

    private TestLimits() {}

    /** Limits by which no call awaits the outcome of others. */
    public static Limits of(Endpoint... endpoints) {
        return atMostCounters(100_000, endpoints);
    }

    public static Limits atMostCounters(int maximum, Endpoint... endpoints) {
        return awaitingOutcomes(0, new Limits(List.of(endpoints), SUBJECTS, true, maximum, ResponseOptions.DEFAULT));
    }

    /** The same limits, by which so many calls at most await the outcome of others. */
    public static Limits awaitingOutcomes(int most, Limits of) {
        return waiting(
                new PendingCalls(of.pendingCalls().queued(), of.pendingCalls().waiting(), most), of);
    }

    /** The same limits, which headers of this style show. */
    public static Limits styled(ResponseOptions.Headers style, Limits of) {
        ResponseOptions responses =
                new ResponseOptions(style, ResponseOptions.Reset.DELTA, false, 429, 429, Duration.ZERO, null);
        return new Limits(
                of.endpoints(),
                of.subjects(),
                of.caseSensitive(),
                of.maximumCounters(),
                responses,
                of.sharing(),
                of.clients(),
                of.overrides(),
                of.pendingCalls());
    }

    /** The same limits, by which no more calls wait than that. */
    public static Limits waiting(PendingCalls threads, Limits of) {
        return new Limits(
                of.endpoints(),
                of.subjects(),
                of.caseSensitive(),
                of.maximumCounters(),
                of.responses(),
                of.sharing(),
                of.clients(),
                of.overrides(),
                threads);
    }

    /**
     * An endpoint, for example {@code endpoint("get-product", "GET /product/*", tier(1000, "10s"))}; the method is
     * optional.
     */
    public static Endpoint endpoint(String id, String what, Tier... tiers) {
        String[] words = what.split(" ");
        Set<String> methods = new TreeSet<>(Arrays.asList(words).subList(0, words.length - 1));
        return new Endpoint(id, methods, words[words.length - 1], List.of("tenant"), Mode.ENFORCE, List.of(tiers));
    }

    public static Endpoint per(Endpoint endpoint, String... subjects) {
        return new Endpoint(
                endpoint.id(),
                endpoint.methods(),
                endpoint.pathPatterns().get(0),
                List.of(subjects),
                endpoint.mode(),
                endpoint.tiers());
    }

    /** An endpoint with this cost, where only answers with these statuses count; all answers if there are none. */
    public static Endpoint counting(Endpoint endpoint, Set<Integer> statuses, Cost cost) {
        return new Endpoint(
                endpoint.id(),
                endpoint.methods(),
                endpoint.pathPatterns().get(0),
                endpoint.per(),
                endpoint.mode(),
                endpoint.when(),
                statuses,
                cost,
                endpoint.tiers());
    }

    public static Endpoint dryRun(Endpoint endpoint) {
        return new Endpoint(
                endpoint.id(),
                endpoint.methods(),
                endpoint.pathPatterns().get(0),
                endpoint.per(),
                Mode.DRY_RUN,
                endpoint.tiers());
    }

    /** A limit of each algorithm that lets so many calls pass at once; sliding windows have one frame, and four. */
    public static List<Limit> ofEachAlgorithm(long threshold, Duration period) {
        return List.of(
                new Limit.FixedWindow(threshold, period),
                new Limit.SlidingWindow(threshold, period, 1),
                new Limit.SlidingWindow(threshold, period, 4),
                new Limit.SlidingLog(threshold, period),
                new Limit.TokenBucket(threshold, period, threshold),
                new Limit.LeakyBucket(threshold, period, 0, Duration.ZERO),
                new Limit.LeakyBucket(threshold, period, threshold - 1, period),
                new Limit.Concurrency(threshold, Limit.Concurrency.Scope.FLEET));
    }

    public static Tier tier(long threshold, Duration period) {
        return new Tier(period.toString(), new Limit.FixedWindow(threshold, period));
    }

    public static Tier perSecond(long threshold) {
        return tier(threshold, Duration.ofSeconds(1));
    }

    public static Tier perTenSeconds(long threshold) {
        return tier(threshold, Duration.ofSeconds(10));
    }

    public static Tier perMinute(long threshold) {
        return tier(threshold, Duration.ofMinutes(1));
    }

    /** A thousand other endpoints that no call matches. */
    public static List<Endpoint> many(int count) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            endpoints.add(endpoint("other-" + i, "GET /other/" + i + "/*", perSecond(1)));
        }
        return endpoints;
    }

    /** The same limits with these options for sharing. */
    public static Limits sharing(SharingOptions sharing, Limits of) {
        return new Limits(
                of.endpoints(),
                of.subjects(),
                of.caseSensitive(),
                of.maximumCounters(),
                of.responses(),
                sharing,
                of.clients(),
                of.overrides(),
                of.pendingCalls());
    }
}
