package dev.sluice.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import dev.sluice.Call;
import dev.sluice.Decision.Outcome;
import dev.sluice.benchmarks.AlgorithmsBenchmark.Algorithm;
import dev.sluice.benchmarks.Turns.Contestant;
import dev.sluice.internal.limiter.CountingRateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Comparisons of two contestants on one thread, in one process. Limiters from other libraries are looked up in a
 * Caffeine cache by the tenant's name, because a decision includes the same lookup. They are called as their
 * documentation describes, with the same threshold as ours. The comparison favours the library, because a decision also
 * finds its endpoint by method and path, and returns figures for headers.
 */
final class Duels {

    private static final int CALLS = 100_000;
    private static final int DAY = 24 * 60 * 60;
    private static final Duration PERIOD = Duration.ofSeconds(10);

    /**
     * Consumes results, so that the compiler cannot remove calls. Results are not written to a field, because the
     * garbage collector's write barrier would make objects more expensive than numbers.
     */
    private static final Blackhole RESULTS =
            new Blackhole("Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

    static final List<Duel> ALL = all();

    private Duels() {}

    /**
     * Two contestants.
     *
     * @param subject the work of both contestants
     * @param pair the names of both contestants
     * @param kind the purpose of the duel
     */
    record Duel(String subject, String pair, Kind kind, Callable<Contestant> ours, Callable<Contestant> theirs) {

        String name() {
            return subject + ": " + pair;
        }
    }

    /** The purpose of a duel. */
    enum Kind {
        /** A comparison with the yardstick, which is a bare lookup and an increment. */
        YARDSTICK,
        PEER,
        /** A comparison of two ways to use Sluice. */
        OWN
    }

    static Duel named(String name) {
        return ALL.stream().filter(duel -> duel.name().equals(name)).findFirst().orElseThrow();
    }

    private static List<Duel> all() {
        List<Duel> duels = new ArrayList<>();
        duels.add(beside("decision", () -> decisions(Endpoints.ofService(100), Spread.ZIPF, Endpoints.someServicePaths())));
        duels.add(beside("filter by address", () -> requests(Spread.ZIPF, FilterBenchmark::sluiceByAddress)));
        duels.add(beside("exchange", ExchangeWork::new));
        duels.add(beside("token bucket", () -> algorithm(Algorithm.TOKEN_BUCKET)));
        for (int callers : new int[] {1, 10_000, 1_000_000}) {
            besideLookUps(duels, "admitted", callers, Outcome.ADMITTED);
        }
        besideLookUps(duels, "refused", 1, Outcome.REFUSED);
        besideLookUps(duels, "refused", 10_000, Outcome.REFUSED);
        besideLookUps(duels, "admitted hashed", 1, () -> Tenants.alike(1).hashed(), Outcome.ADMITTED);
        besideLookUps(duels, "refused hashed", 1, () -> Tenants.alike(1).hashed(), Outcome.REFUSED);
        duels.add(peer("filter by address", "Tomcat",
                () -> requests(Spread.ZIPF, FilterBenchmark::sluiceByAddress),
                () -> requests(Spread.ZIPF, FilterBenchmark::tomcat)));
        duels.add(peer("filter by address", "Jetty",
                () -> requests(Spread.UNIFORM, FilterBenchmark::sluiceByAddress),
                () -> requests(Spread.UNIFORM, FilterBenchmark::jetty)));
        duels.add(peer("filter of 10 endpoints", "Tomcat",
                () -> requests(Spread.ZIPF, FilterBenchmark::sluiceOfTen),
                () -> requests(Spread.ZIPF, FilterBenchmark::tomcat)));
        duels.add(peer("filter of 100 endpoints", "Tomcat",
                () -> requests(Spread.ZIPF, FilterBenchmark::sluice),
                () -> requests(Spread.ZIPF, FilterBenchmark::tomcat)));
        duels.add(peer("token bucket", "Bucket4j", () -> algorithm(Algorithm.TOKEN_BUCKET), Duels::bucket4j));
        duels.add(peer("token bucket", "Guava", () -> algorithm(Algorithm.TOKEN_BUCKET), Duels::guava));
        duels.add(peer("fixed window", "Resilience4j", () -> algorithm(Algorithm.FIXED_WINDOW), Duels::resilience4j));
        duels.add(own("decision", "1000 / 10 endpoints",
                () -> decisions(Endpoints.ofService(1000), Spread.UNIFORM, Endpoints.pathsOfService(1000)),
                () -> decisions(Endpoints.ofService(10), Spread.UNIFORM, Endpoints.pathsOfService(10))));
        duels.add(own("decision", "1000 / 10 endings",
                () -> decisions(Endpoints.ofEndings(1000), Spread.UNIFORM, Endpoints.pathsOfEndings(1000)),
                () -> decisions(Endpoints.ofEndings(10), Spread.UNIFORM, Endpoints.pathsOfEndings(10))));
        duels.add(own("decision", "10000 / 10 clients", () -> ofClients(10_000), () -> ofClients(10)));
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm != Algorithm.FIXED_WINDOW) {
                String name = algorithm.name().toLowerCase(Locale.ROOT).replace('_', ' ');
                duels.add(own("algorithm", name + " / fixed window",
                        () -> algorithm(algorithm), () -> algorithm(Algorithm.FIXED_WINDOW)));
            }
        }
        return duels;
    }

    /**
     * The first cache has a maximum size, but one so large that the cache does not track the order of use. The second
     * cache also evicts idle callers. To do so, it reads a clock, as any limiter has to, and records each lookup.
     * Sluice instead checks for idle callers in the background.
     */
    private static void besideLookUps(List<Duel> duels, String admitted, int callers, Outcome outcome) {
        besideLookUps(duels, admitted, callers, () -> Tenants.alike(callers), outcome);
    }

    private static void besideLookUps(
            List<Duel> duels, String admitted, int callers, Supplier<Tenants> tenants, Outcome outcome) {
        String subject = admitted + " of " + callers + (callers == 1 ? " caller" : " callers");
        Callable<Contestant> ours = () -> alone(tenants.get(), outcome);
        Kind kind = outcome == Outcome.REFUSED && callers > 1 ? Kind.YARDSTICK : Kind.PEER;
        duels.add(new Duel(
                subject, "Sluice / bare Caffeine", kind, ours, () -> lookUps(tenants.get(), Caffeine.newBuilder())));
        duels.add(peer(subject, "forgetful Caffeine", ours,
                () -> lookUps(tenants.get(), Caffeine.newBuilder().expireAfterAccess(Duration.ofMinutes(10)))));
    }

    private static Duel beside(String subject, Callable<Contestant> ours) {
        return new Duel(subject, "Sluice / bare Caffeine", Kind.YARDSTICK, ours, () -> bareCaffeine(Spread.ZIPF));
    }

    private static Duel peer(String subject, String peer, Callable<Contestant> ours, Callable<Contestant> theirs) {
        return new Duel(subject, "Sluice / " + peer, Kind.PEER, ours, theirs);
    }

    private static Duel own(String subject, String pair, Callable<Contestant> ours, Callable<Contestant> theirs) {
        return new Duel(subject, pair, Kind.OWN, ours, theirs);
    }

    /** Makes a call, and passes its result to {@link #RESULTS}. */
    private interface OneCall {
        void make() throws Exception;
    }

    /**
     * Before each turn, checks that calls return correct results, because a contestant that does not do its work would
     * be fast.
     */
    private static Contestant calls(Callable<Boolean> isRight, OneCall call) {
        return () -> {
            if (!isRight.call()) {
                throw new IllegalStateException("a call returned a wrong result");
            }
            long before = Turns.cpuNanos();
            for (int i = 0; i < CALLS; i++) {
                call.make();
            }
            return (double) (Turns.cpuNanos() - before) / CALLS;
        };
    }

    private static Contestant decisions(Endpoints endpoints, Spread spread, String... paths) {
        return decisions(endpoints, Tenants.named(spread), Outcome.ADMITTED, paths);
    }

    /** Decisions that all have the given outcome, possibly except for each caller's first call. */
    private static Contestant decisions(Endpoints endpoints, Tenants tenants, Outcome outcome, String... paths) {
        CountingRateLimiter limiter = endpoints.open();
        Caller caller = Caller.byHeader(tenants, paths);
        return calls(
                () -> {
                    Call call = caller.next();
                    limiter.decide(call);
                    return limiter.decide(call).outcome() == outcome;
                },
                () -> RESULTS.consume(limiter.decide(caller.next())));
    }

    /** Decisions with a file that contains a single endpoint. All callers make the same number of calls. */
    private static Contestant alone(Tenants tenants, Outcome outcome) {
        Endpoints endpoints = new Endpoints()
                .add(
                        "alone",
                        "/api/*",
                        outcome == Outcome.ADMITTED ? Endpoints.tier(10, Endpoints.PLENTY) : Endpoints.tier(DAY, 1))
                .withRoomFor(10 * tenants.count());
        return decisions(endpoints, tenants, outcome, "/api/1");
    }

    /** The same calls, counted in a bounded cache. A caller's first call adds its count to the cache. */
    private static Contestant lookUps(Tenants tenants, Caffeine<Object, Object> bounds) {
        Cache<String, AtomicLong> cache = bounds.maximumSize(10L * tenants.count()).build();
        Caller caller = Caller.byHeader(tenants, "/api/1");
        LongSupplier count =
                () -> cache.get(caller.next().header("X-Org-Id"), tenant -> new AtomicLong()).incrementAndGet();
        return calls(() -> count.getAsLong() > 0, () -> RESULTS.consume(count.getAsLong()));
    }

    private static Contestant ofClients(int clients) {
        return decisions(Endpoints.ofService(10).withClients(clients, false), Spread.UNIFORM, Endpoints.pathsOfService(10));
    }

    private static Contestant bareCaffeine(Spread spread) {
        DecideBenchmark benchmark = new DecideBenchmark();
        benchmark.spread = spread;
        benchmark.open();
        DecideBenchmark.Calls calls = new DecideBenchmark.Calls();
        calls.begin(benchmark);
        return calls(() -> benchmark.bareCaffeine(calls) > 0, () -> RESULTS.consume(benchmark.bareCaffeine(calls)));
    }

    /** A way of filtering requests. */
    private interface Filtering {
        long pass(FilterBenchmark benchmark, FilterBenchmark.Requests requests) throws Exception;
    }

    private static Contestant requests(Spread spread, Filtering filtering) throws Exception {
        FilterBenchmark benchmark = new FilterBenchmark();
        benchmark.spread = spread;
        benchmark.open();
        FilterBenchmark.Requests requests = new FilterBenchmark.Requests();
        requests.begin(benchmark);
        return calls(() -> true, () -> RESULTS.consume(filtering.pass(benchmark, requests))); // the benchmark checks each
    }

    private static Contestant algorithm(Algorithm algorithm) {
        AlgorithmsBenchmark.Sluice sluice = new AlgorithmsBenchmark.Sluice();
        sluice.algorithm = algorithm;
        sluice.open();
        AlgorithmsBenchmark.Calls calls = new AlgorithmsBenchmark.Calls();
        AlgorithmsBenchmark benchmark = new AlgorithmsBenchmark();
        return calls(
                () -> benchmark.decide(sluice, calls).outcome() == Outcome.ADMITTED,
                () -> RESULTS.consume(benchmark.decide(sluice, calls)));
    }

    private static Contestant bucket4j() {
        AlgorithmsBenchmark.Buckets buckets = new AlgorithmsBenchmark.Buckets();
        buckets.open();
        AlgorithmsBenchmark.Calls calls = new AlgorithmsBenchmark.Calls();
        AlgorithmsBenchmark benchmark = new AlgorithmsBenchmark();
        return calls(() -> benchmark.bucket4j(buckets, calls), () -> RESULTS.consume(benchmark.bucket4j(buckets, calls)));
    }

    private static Contestant guava() {
        double perSecond = (double) Endpoints.PLENTY / PERIOD.toSeconds();
        return looked(tenant -> RateLimiter.create(perSecond), RateLimiter::tryAcquire);
    }

    private static Contestant resilience4j() {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(Math.toIntExact(Endpoints.PLENTY))
                .limitRefreshPeriod(PERIOD)
                .timeoutDuration(Duration.ZERO)
                .build();
        return looked(
                tenant -> io.github.resilience4j.ratelimiter.RateLimiter.of(tenant, config),
                io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
    }

    /** One limiter per tenant, looked up by name for each call. */
    private static <L> Contestant looked(Function<String, L> opener, Predicate<L> admits) {
        Tenants tenants = Tenants.named(Spread.ZIPF);
        Cache<String, L> limiters = Caffeine.newBuilder().maximumSize(100_000).build();
        tenants.all().forEach(tenant -> limiters.put(tenant, opener.apply(tenant)));
        Caller caller = Caller.byHeader(tenants, "/api/1");
        BooleanSupplier call = () -> {
            L limiter = limiters.getIfPresent(caller.next().header("X-Org-Id"));
            return limiter != null && admits.test(limiter);
        };
        return calls(call::getAsBoolean, () -> RESULTS.consume(call.getAsBoolean()));
    }
}
