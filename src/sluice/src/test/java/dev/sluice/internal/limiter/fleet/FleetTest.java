package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several limiters on one store admit one limit between them. */
@Timeout(60)
class FleetTest {

    private static final Call CALL = TestCall.get("/a").of("acme");

    private final InMemoryCounterStore shared =
            new InMemoryCounterStore(InstantSource.system(), InMemoryCounterStore.DEFAULT_MAXIMUM);
    private final List<CountingRateLimiter> fleet = new ArrayList<>();
    private final Set<CounterKey> keys = ConcurrentHashMap.newKeySet();
    private final AtomicInteger observations = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread daemon = new Thread(task, "caller");
        daemon.setDaemon(true);
        return daemon;
    });

    @AfterEach
    void close() {
        fleet.forEach(CountingRateLimiter::close);
        threads.shutdownNow();
    }

    private static Tier tier(long threshold, Sync sync) {
        // a window so long that no test meets its end, except once in a blue moon
        return new Tier("1h", new Limit.FixedWindow(threshold, Duration.ofDays(300)), sync);
    }

    private static Sync slack(double slack) {
        return new Sync(Duration.ofMillis(100), slack, false);
    }

    private static Limits limits(Tier... tiers) {
        return TestLimits.of(endpoint("e", "/a", tiers));
    }

    private CountingRateLimiter join(Limits limits, CounterStore store) {
        CountingRateLimiter limiter = new CountingRateLimiter(
                limits, InstantSource.system(), RateLimitListener.NONE, store, "i" + fleet.size(), null);
        fleet.add(limiter);
        return limiter;
    }

    private CountingRateLimiter join(Limits limits) {
        return join(limits, new Unclosed());
    }

    /** What the store has recorded, by counter. */
    private Map<CounterKey, Long> totals() {
        List<CounterKey> asked = List.copyOf(keys);
        List<Batch.Grant> grants = observe(asked);
        Map<CounterKey, Long> totals = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            totals.put(asked.get(i), grants.get(i).total());
        }
        return totals;
    }

    private List<Batch.Grant> observe(List<CounterKey> asked) {
        Batch batch = new Batch(
                "observer",
                observations.incrementAndGet(),
                asked.stream()
                        .map(key -> new Batch.Statement(
                                key, List.of(), 0, Batch.Need.NONE, 0, 5_000, new Batch.Rule.Total(1)))
                        .toList());
        return shared.exchange(batch).toCompletableFuture().join().grants();
    }

    /** Whether the store has recorded just that, and nobody holds anything. */
    private boolean isSettled(long admitted) {
        long held = observe(List.copyOf(keys)).stream()
                .mapToLong(Batch.Grant::elsewhere)
                .sum();
        return held == 0 && total() == admitted;
    }

    private long total() {
        return totals().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Waits until an interval after the last call. */
    private void awaitSettled(long admitted) {
        Eventually.await("a total of " + admitted, () -> isSettled(admitted));
    }

    private static long admitted(CountingRateLimiter limiter, int calls) {
        return IntStream.range(0, calls)
                .filter(i -> limiter.decide(CALL).admitted())
                .count();
    }

    private long admittedByAll(int threadsEach, int callsEach) throws Exception {
        List<Callable<Long>> work = new ArrayList<>();
        for (CountingRateLimiter limiter : fleet) {
            for (int i = 0; i < threadsEach; i++) {
                work.add(() -> admitted(limiter, callsEach));
            }
        }
        long sum = 0;
        for (Future<Long> result : threads.invokeAll(work)) {
            sum += result.get();
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"1, false", "5, false", "100, false", "1000, false", "1, true", "5, true", "100, true"})
    void withoutSlackAdmitsExactlyTheLimit(int threshold, boolean strict) throws Exception {
        Sync sync = strict ? new Sync(Duration.ofMillis(100), 0, true) : slack(0);
        Limits limits = withTimeout(limits(tier(threshold, sync)), Duration.ofSeconds(20));
        for (int i = 0; i < 3; i++) {
            join(limits);
        }

        assertThat(admittedByAll(4, threshold)).isEqualTo(threshold);
    }

    @Test
    void withSlackExceedsTheLimitByAtMostTheSlackOfEach() throws Exception {
        for (int i = 0; i < 4; i++) {
            join(limits(tier(500, slack(0.01))));
        }

        assertThat(admittedByAll(2, 400)).isBetween(500L, 500L + 4 * 5);
    }

    @Test
    void aBurstOnAColdCounterIsNotRefusedBelowTheLimit() {
        CountingRateLimiter limiter = join(limits(tier(5, slack(0.01))));

        assertThat(admitted(limiter, 10)).isEqualTo(5);
    }

    @Test
    void remainingIsFleetWideAnIntervalAfterTheLastCall() {
        CountingRateLimiter one = join(limits(tier(10, slack(0))));
        CountingRateLimiter two = join(limits(tier(10, slack(0))));

        assertThat(one.decide(CALL).remaining()).isEqualTo(9);
        admitted(one, 3);
        awaitSettled(4);

        assertThat(two.decide(CALL).remaining()).isEqualTo(5);
        awaitSettled(5);
        assertThat(one.decide(CALL).remaining()).isEqualTo(4);
    }

    @Test
    void returnsItsShareWhenItCloses() {
        CountingRateLimiter one = join(limits(tier(1_000, slack(0.01))));
        assertThat(admitted(one, 137)).isEqualTo(137);

        one.close();

        assertThat(total()).isEqualTo(137);
    }

    @Test
    void severalTiersAreAllOrNothingAlsoTogether() throws Exception {
        Tier wide = new Tier("300d", new Limit.FixedWindow(40, Duration.ofDays(300)), slack(0));
        Tier narrow = new Tier("200d", new Limit.FixedWindow(25, Duration.ofDays(200)), slack(0));
        Limits limits = withTimeout(limits(wide, narrow), Duration.ofSeconds(20));
        join(limits);
        join(limits);

        long admitted = admittedByAll(3, 40);
        fleet.forEach(CountingRateLimiter::close);

        assertThat(admitted).isEqualTo(25);
        assertThat(totals().values()).containsExactlyInAnyOrder(25L, 25L);
    }

    @Test
    void instancesWhoseClocksDifferShareWindows() {
        Limits limits = limits(new Tier("1m", new Limit.FixedWindow(10, Duration.ofMinutes(1)), slack(0)));
        List<Long> resets = new ArrayList<>();
        for (long off : new long[] {-30_000, 0, 30_000}) {
            CountingRateLimiter limiter = new CountingRateLimiter(
                    limits,
                    () -> java.time.Instant.now().plusMillis(off),
                    RateLimitListener.NONE,
                    new Unclosed(),
                    "clock" + off,
                    null);
            fleet.add(limiter);
            resets.add(limiter.decide(CALL).resetAfterMillis());
        }

        assertThat(totals().keySet().stream().map(CounterKey::start).distinct()).hasSizeLessThanOrEqualTo(2);
        assertThat(resets.get(0) - resets.get(2)).isBetween(-5_000L, 5_000L);
    }

    @Nested
    class WhileTheStoreIsUnavailable {

        private final Flaky flaky = new Flaky();

        @Test
        void eachInstanceCountsAlone() {
            CountingRateLimiter limiter = join(withPolicy(limits(tier(20, slack(0.01))), OnFailure.LOCAL), flaky);
            flaky.unavailable = true;

            assertThat(admitted(limiter, 100)).isEqualTo(20);
        }

        @Test
        void everythingPassesIfOnFailureAllows() {
            CountingRateLimiter limiter = join(withPolicy(limits(tier(20, slack(0.01))), OnFailure.ALLOW), flaky);
            flaky.unavailable = true;

            assertThat(admitted(limiter, 100)).isEqualTo(100);
        }

        @Test
        void nothingPassesBeyondTheShareIfOnFailureDenies() {
            CountingRateLimiter limiter = join(withPolicy(limits(tier(20, slack(0))), OnFailure.DENY), flaky);
            flaky.unavailable = true;

            assertThat(admitted(limiter, 100)).isZero();
        }

        @ParameterizedTest
        @CsvSource({"false", "true"})
        void admittedCallsAreReportedWhenItIsBack(boolean unresponsive) {
            CountingRateLimiter limiter = join(withPolicy(limits(tier(1_000, slack(0.01))), OnFailure.LOCAL), flaky);
            assertThat(admitted(limiter, 50)).isEqualTo(50);
            flaky.unresponsive = unresponsive;
            flaky.unavailable = true;
            assertThat(admitted(limiter, 300)).isEqualTo(300);
            flaky.unavailable = false;

            assertThat(limiter.decide(CALL).admitted()).isTrue();

            awaitSettled(351);
        }

        @Test
        void aReplyThatIsLostCountsOnce() {
            CountingRateLimiter limiter =
                    join(withTimeout(limits(tier(10_000, slack(0.01))), Duration.ofSeconds(10)), flaky);
            flaky.loseEverySecondReply = true;
            AtomicInteger called = new AtomicInteger();
            AtomicLong admitted = new AtomicLong();
            Eventually.await("five lost replies", () -> {
                called.addAndGet(50);
                admitted.addAndGet(admitted(limiter, 50));
                return flaky.asked.get() >= 10 || called.get() == 9_500;
            });
            flaky.loseEverySecondReply = false;

            assertThat(flaky.asked.get()).isGreaterThanOrEqualTo(10);
            assertThat(admitted).hasValue(called.get());
            awaitSettled(called.get());
        }
    }

    @Test
    void refusedCallsCostTheStoreNothing() throws Exception {
        Flaky counting = new Flaky();
        CountingRateLimiter limiter = join(limits(tier(5, slack(0.01))), counting);
        assertThat(admitted(limiter, 10)).isEqualTo(5);
        awaitSettled(5);
        int before = counting.answered.get();

        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        long refused = 0;
        while (System.nanoTime() < until || refused < 10_000) {
            Decision decision = limiter.decide(CALL);
            refused += decision.admitted() ? 0 : 1;
        }

        assertThat(counting.answered.get() - before).isLessThanOrEqualTo(4);
    }

    private static Limits withPolicy(Limits limits, OnFailure policy) {
        return with(limits, new SharingOptions(policy, Duration.ofMillis(50)));
    }

    private static Limits withTimeout(Limits limits, Duration timeout) {
        return with(limits, new SharingOptions(OnFailure.DENY, timeout));
    }

    private static Limits with(Limits limits, SharingOptions options) {
        return TestLimits.sharing(options, limits);
    }

    /** A store that outlives the limiters on it. */
    private final class Unclosed implements CounterStore {

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            batch.statements().forEach(statement -> keys.add(statement.key()));
            return shared.exchange(batch);
        }

        @Override
        public void close() {}
    }

    /** A store that becomes unavailable on demand, says nothing at all, or loses replies. */
    private final class Flaky implements CounterStore {

        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean unavailable;
        private volatile boolean unresponsive;
        private volatile boolean loseEverySecondReply;

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            if (unavailable) {
                return unresponsive
                        ? new CompletableFuture<Batch.Reply>().orTimeout(200, TimeUnit.MILLISECONDS)
                        : CompletableFuture.failedStage(StoreException.unavailable("connection refused", null));
            }
            batch.statements().forEach(statement -> keys.add(statement.key()));
            CompletionStage<Batch.Reply> reply = shared.exchange(batch);
            if (loseEverySecondReply && asked.incrementAndGet() % 2 == 0) {
                return CompletableFuture.failedStage(StoreException.unavailable("the reply was lost", null));
            }
            answered.incrementAndGet();
            return reply;
        }

        @Override
        public void close() {}
    }
}
