package dev.sluice.benchmarks.fleet.rig;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.RateLimitListener;
import dev.sluice.ResponseOptions;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SubjectSource;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Sluice, configured by a file that contains the store's URI. */
final class SluiceLimiter implements Instance {

    private static final int MAXIMUM_COUNTERS = 100_000;

    private final CountingRateLimiter limiter;
    private final LongAdder waits = new LongAdder();

    private SluiceLimiter(CounterStore store, Limits limits) {
        this.limiter = new CountingRateLimiter(
                limits,
                InstantSource.system(),
                new RateLimitListener() {
                    @Override
                    public void onStoreWait(long waitedNanos) {
                        waits.increment();
                    }
                },
                store,
                UUID.randomUUID().toString(), null);
    }

    static Instance usual(String uri, Rule rule) {
        return on(uri, CounterStores.open(uri), rule);
    }

    static Instance exact(String uri, Rule rule) {
        return new SluiceLimiter(CounterStores.open(uri), limits(rule, 0, MAXIMUM_COUNTERS));
    }

    static Instance exact(String uri, Rule rule, int maximumCounters) {
        return new SluiceLimiter(CounterStores.open(uri), limits(rule, 0, maximumCounters));
    }

    /**
     * Creates an instance that uses the given store. The URI must be the URI of that store. Closing the instance closes
     * the store.
     */
    static Instance on(String uri, CounterStore store, Rule rule) {
        return new SluiceLimiter(store, limits(rule, Sync.DEFAULT.slack(), MAXIMUM_COUNTERS));
    }

    private static Limits limits(Rule rule, double slack, int maximumCounters) {
        Map<String, List<Tier>> tiers = new LinkedHashMap<>();
        for (Rule.Limit limit : rule.limits()) {
            String name = limit.period().toSeconds() + "s";
            tiers.computeIfAbsent(limit.endpoint(), endpoint -> new ArrayList<>())
                    .add(new Tier(name, algorithm(limit), new Sync(Rule.SYNC, slack, false)));
        }
        List<Endpoint> endpoints = new ArrayList<>();
        tiers.forEach((id, ofEndpoint) -> endpoints.add(
                new Endpoint(id, Set.of("GET"), "/product/*", List.of("tenant"), Mode.ENFORCE, ofEndpoint)));
        SubjectSource header = new SubjectSource("header:X-Org-Id", call -> call.header("X-Org-Id"));
        return new Limits(
                endpoints,
                Map.of("tenant", List.of(header)),
                true,
                maximumCounters,
                ResponseOptions.DEFAULT,
                SharingOptions.DEFAULT,
                List.of(),
                List.of(),
                Limits.PendingCalls.DEFAULT);
    }

    private static Limit algorithm(Rule.Limit limit) {
        return limit.kind() == Rule.Kind.BUCKET
                ? new Limit.TokenBucket(limit.threshold(), limit.period(), limit.threshold())
                : new Limit.FixedWindow(limit.threshold(), limit.period());
    }

    @Override
    public boolean admits(String caller) {
        return limiter.decide(new ProductCall(caller)).admitted();
    }

    @Override
    public long waits() {
        return waits.sum();
    }

    @Override
    public void close() {
        limiter.close();
    }

    private record ProductCall(String caller) implements Call {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/product/1";
        }

        @Override
        public String ip() {
            return "192.0.2.1";
        }

        @Override
        public @Nullable String header(String name) {
            return name.equals("X-Org-Id") ? caller : null;
        }
    }
}
