package dev.sluice.fleet;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimiter;
import dev.sluice.TestCall;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random fleets on MongoDB whose callers call as users do: pages that load, bursts, and single calls. Nobody is refused
 * before the limit is used up, and no limit is passed.
 */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
class MongoPatternsTest {

    private static final int[] INSTANCES = {3, 3, 8, 20};
    private static final int[] LIMITS = {1, 2, 5, 12, 60};
    private static final int CALLERS = 4;
    private static final List<FaultyProxy.Cut> CUTS = List.of(FaultyProxy.Cut.values());
    /** So no lease ends while an instance is cut off: it would use what it holds, though others had been given it. */
    private static final Duration EVERY = Duration.ofSeconds(5);

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("sluice.games", 2));
    }

    /** The answer to one call. */
    private record Answer(boolean admitted, long startNanos, long endNanos) {}

    private static Limit limit(Random random, int threshold) {
        return switch (random.nextInt(7)) {
            case 0, 1 -> new Limit.FixedWindow(threshold, Fleet.FOR_EVER);
            case 2 -> new Limit.SlidingWindow(threshold, Fleet.FOR_EVER, 1 + random.nextInt(4));
            case 3 -> new Limit.SlidingLog(threshold, Fleet.FOR_EVER);
            case 4 -> new Limit.TokenBucket(threshold, Fleet.FOR_EVER, threshold);
            case 5 -> new Limit.LeakyBucket(threshold, Fleet.FOR_EVER, 0, Duration.ZERO);
            default -> new Limit.Concurrency(threshold, Limit.Concurrency.Scope.FLEET);
        };
    }

    private static String words(int instances, Tier tier) {
        return instances + " instances, " + tier.limit() + ", " + tier.sync();
    }

    private static Tier tier(Random random) {
        int threshold = LIMITS[random.nextInt(LIMITS.length)];
        boolean strict = random.nextInt(4) == 0;
        return new Tier(
                "t", limit(random, threshold), new Sync(Duration.ofMillis(100 + random.nextInt(400)), 0, strict));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everybodyGetsTheWholeLimitAndNoMore(long seed) {
        Random random = new Random(seed);
        int instances = INSTANCES[random.nextInt(INSTANCES.length)];
        Tier tier = tier(random);
        Limits limits = Fleet.limits(Fleet.patient(), tier);
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                Fleet fleet = new Fleet()) {
            for (int i = 0; i < instances; i++) {
                fleet.join(limits, mongo.patientUri());
            }
            for (int caller = 0; caller < CALLERS; caller++) {
                Call call = TestCall.get("/a").of("caller-" + caller);
                List<Answer> answers =
                        call(random, fleet.limiters(), call, (int) tier.limit().threshold());
                check(answers, tier.limit().threshold(), words(instances, tier) + ", caller " + caller);
            }
        }
    }

    private static void check(List<Answer> answers, long threshold, String words) {
        assertThat(answers.stream().filter(Answer::admitted))
                .as("admitted: " + words)
                .hasSize((int) threshold);
        List<Answer> early = answers.stream()
                .filter(answer -> !answer.admitted)
                .filter(refused -> answers.stream()
                                .filter(one -> one.admitted && one.startNanos - refused.endNanos < 0)
                                .count()
                        < threshold)
                .toList();
        assertThat(early).as("refused early: " + words).isEmpty();
    }

    /** Half as many calls more than may pass, in a way of some user. */
    private static List<Answer> call(Random random, List<? extends RateLimiter> limiters, Call call, int threshold) {
        int calls = threshold + threshold / 2 + 3;
        Queue<Answer> answers = new ConcurrentLinkedQueue<>();
        int atOnce = switch (random.nextInt(4)) {
            case 0 -> 1;
            case 1 -> calls;
            default -> 2 + random.nextInt(8);
        };
        boolean sticks = random.nextInt(3) == 0;
        while (calls > 0) {
            int now = Math.min(atOnce, calls);
            calls -= now;
            CountDownLatch done = new CountDownLatch(now);
            RateLimiter one = limiters.get(random.nextInt(limiters.size()));
            for (int i = 0; i < now; i++) {
                RateLimiter limiter = sticks ? one : limiters.get(random.nextInt(limiters.size()));
                new Thread(() -> {
                            long start = System.nanoTime();
                            Decision decision = limiter.decide(call);
                            answers.add(new Answer(decision.admitted(), start, System.nanoTime()));
                            done.countDown();
                        })
                        .start();
            }
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Eventually.pause(random.nextInt(3) == 0 ? 300 : random.nextInt(40));
        }
        return List.copyOf(answers);
    }

    /** Fixed windows, whose total tells what was counted. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noNetworkFaultLosesOrDoublesACall(long seed) {
        Random random = new Random(seed + 1_000);
        int instances = INSTANCES[random.nextInt(INSTANCES.length)];
        int threshold = LIMITS[random.nextInt(LIMITS.length)] * 10;
        Tier tier = new Tier(
                "t", new Limit.FixedWindow(threshold, Fleet.FOR_EVER), new Sync(EVERY, 0, random.nextInt(4) == 0));
        Limits limits = Fleet.limits(Fleet.patient(), tier);
        List<FaultyProxy> networks = new ArrayList<>();
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                CounterStore direct = CounterStores.open(mongo.patientUri());
                Fleet fleet = new Fleet()) {
            for (int i = 0; i < instances; i++) {
                FaultyProxy network = new FaultyProxy(mongo.port());
                networks.add(network);
                fleet.join(limits, "mongodb://127.0.0.1:" + network.port() + "/?timeoutMS=2000");
            }
            Call call = TestCall.get("/a").of("acme");
            Load load = Load.start(fleet.limiters(), 1, List.of(call), Duration.ofMillis(20));
            disturb(random, networks);
            Eventually.await("the whole limit", () -> load.admitted() >= threshold);
            load.stop();
            assertThat(load.thrown()).isEmpty();
            assertThat(load.admitted()).as(words(instances, tier)).isEqualTo(threshold);
            CounterKey key = fleet.limiters().get(0).explain(call).get(0).key();
            Eventually.await("a total of " + threshold, () -> total(direct, key) == threshold);
            fleet.settle();
            fleet.limiters().forEach(CountingRateLimiter::close);
            assertThat(total(direct, key)).as(words(instances, tier)).isEqualTo(threshold);
        } finally {
            networks.forEach(FaultyProxy::close);
        }
    }

    private static void disturb(Random random, List<FaultyProxy> networks) {
        for (int i = 0; i < 12; i++) {
            FaultyProxy network = networks.get(random.nextInt(networks.size()));
            switch (random.nextInt(6)) {
                case 0 -> network.freeze();
                case 1 -> network.refuse();
                case 2 -> {
                    network.thaw();
                    network.admit();
                }
                case 3 -> network.delayReplies(Duration.ofMillis(random.nextInt(50)));
                default -> network.cutNext(CUTS.get(random.nextInt(CUTS.size())));
            }
            Eventually.pause(random.nextInt(400));
        }
        networks.forEach(network -> {
            network.thaw();
            network.admit();
            network.delayReplies(Duration.ZERO);
        });
    }

    private static long total(CounterStore direct, CounterKey key) {
        return exchangeInTheEnd(direct, batch(unique(), 1, question(key)))
                .grants()
                .get(0)
                .total();
    }
}
