package dev.sluice.fleet;

import static dev.sluice.TestLimits.endpoint;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Several limiters, each on a store of its own that leads to the same Redis. */
public final class Fleet implements AutoCloseable {

    /** So long that no test meets its end, except once in a blue moon. */
    public static final Duration FOR_EVER = Duration.ofDays(300);

    private final String name = UUID.randomUUID().toString();
    private final List<CountingRateLimiter> limiters = new ArrayList<>();
    private final List<Observed> stores = new ArrayList<>();

    /** A fleet of three. */
    public static Fleet ofThree(Limits limits, String uri) {
        Fleet fleet = new Fleet();
        for (int i = 0; i < 3; i++) {
            fleet.join(limits, uri);
        }
        return fleet;
    }

    public CountingRateLimiter join(Limits limits, String uri) {
        return join(limits, uri, InstantSource.system());
    }

    public CountingRateLimiter join(Limits limits, String uri, InstantSource machine) {
        return join(limits, uri, machine, batch -> {});
    }

    /** Each batch of this limiter is shown to somebody before it is sent. */
    public CountingRateLimiter join(Limits limits, String uri, InstantSource machine, Consumer<Batch> before) {
        Observed store = new Observed(CounterStores.open(uri), before);
        stores.add(store);
        CountingRateLimiter limiter = new CountingRateLimiter(
                limits, machine, RateLimitListener.NONE, store, name + "-" + limiters.size(), null);
        limiters.add(limiter);
        return limiter;
    }

    public List<CountingRateLimiter> limiters() {
        return limiters;
    }

    /** Waits until every limiter has an answer to all its batches. */
    public void settle() {
        Eventually.await("answers to all", () -> stores.stream().allMatch(store -> store.answered));
    }

    @Override
    public void close() {
        limiters.forEach(CountingRateLimiter::close);
    }

    /** What Redis has recorded for a call, in the current window. */
    public long total(RedisServer redis, Call call) {
        Object total =
                redis.call("GET", limiters.get(0).explain(call).get(0).key().text());
        return total == null ? 0 : Long.parseLong((String) total);
    }

    public static List<Call> tenants(int howMany) {
        return IntStream.range(0, howMany)
                .<Call>mapToObj(i -> TestCall.get("/a").of("tenant-" + i))
                .toList();
    }

    public static Tier tier(long threshold, Duration period, Sync sync) {
        return new Tier("t", new Limit.FixedWindow(threshold, period), sync);
    }

    public static Sync slack(double slack, long everyMillis) {
        return new Sync(Duration.ofMillis(everyMillis), slack, false);
    }

    public static Limits limits(SharingOptions sharing, Tier tier) {
        return sharing(sharing, TestLimits.of(endpoint("a", "/a", tier)));
    }

    public static Limits sharing(SharingOptions sharing, Limits limits) {
        return TestLimits.sharing(sharing, limits);
    }

    /** Nothing passes that Redis has not granted, however long that takes. */
    public static SharingOptions patient() {
        return new SharingOptions(SharingOptions.OnFailure.DENY, Duration.ofSeconds(20));
    }

    /** Knows whether the last batch was answered. */
    private static final class Observed implements CounterStore {

        private final CounterStore store;
        private final Consumer<Batch> before;
        private volatile boolean answered = true;

        Observed(CounterStore store, Consumer<Batch> before) {
            this.store = store;
            this.before = before;
        }

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            answered = false;
            before.accept(batch);
            return store.exchange(batch).whenComplete((reply, failure) -> answered = failure == null);
        }

        @Override
        public void subscribe(String instance, Consumer<News> listener) {
            store.subscribe(instance, listener);
        }

        @Override
        public void unsubscribe(String instance) {
            store.unsubscribe(instance);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
