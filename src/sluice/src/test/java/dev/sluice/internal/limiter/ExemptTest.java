package dev.sluice.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.RateLimitListener;
import dev.sluice.ResponseOptions;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * An exempt client is never refused, whatever the limits are, whatever came before and even while the store is
 * unavailable.
 */
class ExemptTest {

    private static final String VIP = "vip";

    private static final Map<String, List<SubjectSource>> SUBJECTS = Map.of(
            "tenant",
            List.of(new SubjectSource("header:X-Org-Id", call -> call.header("X-Org-Id"))),
            "ip",
            List.of(new SubjectSource("ip", Call::ip)));

    /** One call of the traffic: whose, where, and how much later than the one before. */
    record Arrival(boolean exempt, int path, int laterMillis, boolean ends) {}

    enum Store {
        NONE,
        THERE,
        UNAVAILABLE
    }

    @Property(tries = 150)
    void isNeverRefused(
            @ForAll("endpoints") List<Endpoint> endpoints,
            @ForAll("traffic") List<Arrival> traffic,
            @ForAll Store store,
            @ForAll SharingOptions.OnFailure onFailure) {
        TestClock clock = new TestClock(0);
        List<Decision> heard = new ArrayList<>();
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                if (VIP.equals(call.header("X-Org-Id"))) {
                    heard.add(decision);
                }
            }
        };
        Client others = client("other", false);
        Limits limits = TestLimits.sharing(
                        new SharingOptions(onFailure, Duration.ofMillis(1)),
                        new Limits(endpoints, SUBJECTS, true, 1000, ResponseOptions.DEFAULT))
                .withClients(List.of(others, client(VIP, true), client("*", false)));
        try (CountingRateLimiter limiter = open(limits, clock, listener, store)) {
            for (Arrival arrival : traffic) {
                clock.advance(Duration.ofMillis(arrival.laterMillis));
                TestCall call = TestCall.get("/p" + arrival.path).of(arrival.exempt ? VIP : "other");
                heard.clear();
                if (!arrival.exempt) {
                    // nobody waits for the calls of others
                    limiter.decideAsync(call, Runnable::run).thenAccept(decision -> end(arrival, decision));
                } else {
                    Decision decision = limiter.decide(call);
                    assertThat(decision.admitted()).isTrue();
                    assertThat(decision.outcome()).isIn(Outcome.EXEMPT, Outcome.UNLIMITED);
                    assertThat(heard).allMatch(said -> said.outcome() == Outcome.EXEMPT);
                    assertThat(heard).hasSize(speaking(endpoints));
                    assertThat(decision.ticket() == null ? 0 : decision.ticket().delayMillis())
                            .isZero();
                    end(arrival, decision);
                }
            }
        }
    }

    private static void end(Arrival arrival, Decision decision) {
        if (arrival.ends && decision.ticket() != null) {
            decision.ticket().ended(200);
        }
    }

    private static int speaking(List<Endpoint> endpoints) {
        return (int) endpoints.stream().filter(one -> one.mode() != Mode.OFF).count();
    }

    private static Client client(String tenant, boolean exempt) {
        return new Client(Map.of("tenant", List.of(tenant)), exempt, BigDecimal.ONE, null, Map.of());
    }

    private static CountingRateLimiter open(Limits limits, TestClock clock, RateLimitListener listener, Store where) {
        if (where == Store.NONE) {
            return new CountingRateLimiter(limits, clock, listener);
        }
        CounterStore store = where == Store.THERE ? new InMemoryCounterStore(clock, 1000) : new Unavailable();
        return new CountingRateLimiter(limits, clock, listener, store, "one", null);
    }

    /** A store that never answers. */
    private static final class Unavailable implements CounterStore {

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return CompletableFuture.failedFuture(StoreException.unavailable("unavailable", null));
        }

        @Override
        public void close() {}
    }

    @Provide
    Arbitrary<List<Endpoint>> endpoints() {
        Arbitrary<Endpoint> endpoint = Combinators.combine(
                        Arbitraries.of(Mode.values()),
                        Arbitraries.of(List.<String>of("tenant"), List.<String>of(), List.<String>of("ip", "tenant")),
                        Arbitraries.of(Set.<Integer>of(), Set.of(401)),
                        Arbitraries.of(Cost.ONE, Cost.fixed(3), Cost.CHARGED),
                        tier().list()
                                .ofMinSize(1)
                                .ofMaxSize(2)
                                .uniqueElements(tier -> tier.limit().algorithm()))
                .as((mode, per, counted, cost, tiers) ->
                        new Endpoint("", Set.of(), "/**", per, mode, Condition.ALWAYS, counted, cost, tiers));
        return endpoint.list().ofMinSize(1).ofMaxSize(3).map(ExemptTest::named);
    }

    private static List<Endpoint> named(List<Endpoint> endpoints) {
        List<Endpoint> named = new ArrayList<>();
        for (Endpoint one : endpoints) {
            named.add(new Endpoint(
                    "e" + named.size(),
                    one.methods(),
                    one.pathPatterns().get(0),
                    one.per(),
                    one.mode(),
                    one.when(),
                    one.countedStatuses(),
                    one.cost(),
                    one.tiers()));
        }
        return named;
    }

    private static Arbitrary<Tier> tier() {
        Duration period = Duration.ofSeconds(1);
        Arbitrary<Limit> limits = Arbitraries.of(
                new Limit.FixedWindow(2, period),
                new Limit.SlidingWindow(2, period, 1),
                new Limit.SlidingLog(2, period),
                new Limit.TokenBucket(2, period, 2),
                new Limit.LeakyBucket(2, period, 0, Duration.ZERO),
                new Limit.LeakyBucket(2, period, 3, Duration.ofSeconds(5)),
                new Limit.Concurrency(1, Limit.Concurrency.Scope.SERVER),
                new Limit.Concurrency(1, Limit.Concurrency.Scope.FLEET));
        Arbitrary<Sync> syncs = Arbitraries.of(
                Sync.DEFAULT, new Sync(Sync.DEFAULT.every(), 0, true), new Sync(Sync.DEFAULT.every(), 0, false));
        return Combinators.combine(limits, syncs, Arbitraries.of(Overage.NONE, new Overage.Soft(0.5)))
                .as((limit, sync, overage) -> new Tier(limit.algorithm().word(), limit, overage, sync));
    }

    @Provide
    Arbitrary<List<Arrival>> traffic() {
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.of(0, 0, 0, 100, 1100),
                        Arbitraries.of(true, false))
                .as(Arrival::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(25);
    }
}
