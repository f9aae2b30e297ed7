package dev.sluice.internal.limiter.algorithm;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three instances on one store, whose clock and theirs are set by hand, admit one limit between them, whatever the
 * algorithm.
 */
@Timeout(60)
class AlgorithmsTogetherTest {

    private static final Call CALL = TestCall.get("/a").of("acme");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int THRESHOLD = 40;

    private final TestClock clock = new TestClock(1_627_318_800_000L);
    private final InMemoryCounterStore shared = new InMemoryCounterStore(clock, 1_000);
    private final List<CountingRateLimiter> fleet = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(12);

    @AfterEach
    void close() {
        fleet.forEach(CountingRateLimiter::close);
        threads.shutdownNow();
    }

    static List<Limit> limits() {
        return TestLimits.ofEachAlgorithm(THRESHOLD, MINUTE);
    }

    private void open(Limit limit, Sync sync) {
        open(new Tier("tier", limit, sync));
    }

    private void open(Tier tier) {
        Limits plain = TestLimits.of(endpoint("e", "/a", tier));
        Limits patient =
                TestLimits.sharing(new SharingOptions(SharingOptions.OnFailure.DENY, Duration.ofSeconds(30)), plain);
        for (int i = 0; i < 3; i++) {
            fleet.add(new CountingRateLimiter(patient, clock, RateLimitListener.NONE, new Unclosed(), "i" + i, null));
        }
    }

    private static Sync strict() {
        return new Sync(Duration.ofMillis(50), 0, true);
    }

    private static Sync slack(double slack) {
        return new Sync(Duration.ofMillis(50), slack, false);
    }

    /** How many of so many calls are admitted that come at once to each instance from several threads. */
    private List<Decision> admitted(int callsEach) throws Exception {
        List<Callable<List<Decision>>> work = new ArrayList<>();
        for (CountingRateLimiter limiter : fleet) {
            for (int thread = 0; thread < 4; thread++) {
                work.add(() -> Stream.generate(() -> limiter.decide(CALL))
                        .limit(callsEach)
                        .filter(Decision::admitted)
                        .toList());
            }
        }
        List<Decision> admitted = new ArrayList<>();
        for (Future<List<Decision>> part : threads.invokeAll(work)) {
            admitted.addAll(part.get());
        }
        return admitted;
    }

    /**
     * The same, again and again until so many were admitted: a slot that one instance has too many is another's only
     * after a moment.
     */
    private List<Decision> admittedUpTo(int most) throws Exception {
        List<Decision> admitted = new ArrayList<>(admitted(30));
        while (admitted.size() < most) {
            admitted.addAll(admitted(1));
        }
        return admitted;
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aStrictTierAdmitsExactlyItsLimit(Limit limit) throws Exception {
        open(limit, strict());

        assertThat(admittedUpTo(THRESHOLD)).hasSize(THRESHOLD);
        assertThat(admitted(30)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void toleranceIsSharedByAllInstances(Limit limit) throws Exception {
        open(new Tier("tier", limit, new Overage.Soft(0.2), strict()));

        int capacity = (int) limit.capacity();
        assertThat(admittedUpTo(capacity + capacity / 5)).hasSize(capacity + capacity / 5);
        assertThat(admitted(30)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void exactlyTheToleratedCallsAreFlagged(Limit limit) throws Exception {
        open(new Tier("tier", limit, new Overage.Soft(0.2), strict()));

        int capacity = (int) limit.capacity();
        for (int call = 0; call < capacity + capacity / 5; call++) {
            assertThat(fleet.get(call % 3).decide(CALL).outcome())
                    .as("call %d", call)
                    .isEqualTo(call < capacity ? Decision.Outcome.ADMITTED : Decision.Outcome.ADMITTED_BEYOND);
        }
        assertThat(fleet.get(0).decide(CALL).admitted()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void withoutSlackTheLimitIsNeverExceeded(Limit limit) throws Exception {
        open(limit, slack(0));

        assertThat(admitted(30)).hasSizeBetween(THRESHOLD / 2, THRESHOLD);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void excessIsAtMostTheSlackOfAllInstances(Limit limit) throws Exception {
        open(limit, slack(0.1));

        assertThat(admitted(30)).hasSizeBetween(THRESHOLD / 2, THRESHOLD + 3 * THRESHOLD / 10);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aRetryPassesAfterTheRetryTime(Limit limit) throws Exception {
        open(limit, strict());
        List<Decision> first = admitted(30);
        Decision refused = fleet.get(1).decide(CALL);
        assertThat(refused.admitted()).isFalse();
        assertThat(refused.retryAfterMillis()).isPositive();

        clock.advance(Duration.ofMillis(refused.retryAfterMillis()));
        first.stream().map(Decision::ticket).filter(Objects::nonNull).forEach(ticket -> ticket.ended(200));

        if (limit instanceof Limit.Concurrency) {
            retryUntilAdmitted();
        } else {
            assertThat(fleet.get(1).decide(CALL).admitted()).isTrue();
        }
    }

    /** Slots that were freed elsewhere are heard of with the next exchange of each instance. */
    private void retryUntilAdmitted() {
        while (!fleet.get(1).decide(CALL).admitted() && !Thread.currentThread().isInterrupted()) {
            clock.advance(Duration.ofMillis(10));
            Thread.onSpinWait();
        }
    }

    @Test
    void anInstanceThatSawNothingOfTheFramesBeforeKnowsTheirWeight() throws Exception {
        open(new Limit.SlidingWindow(THRESHOLD, MINUTE, 4), strict());
        for (int i = 0; i < 30; i++) {
            assertThat(fleet.get(0).decide(CALL).admitted()).isTrue();
        }

        clock.advance(Duration.ofSeconds(15));

        assertThat(admitted(30)).hasSize(10);
        clock.advance(Duration.ofSeconds(52));
        // of the 30 calls of the first frame, 8 seconds of 15 are still covered: they weigh 16, and the 10 of the
        // second all
        assertThat(admitted(30)).hasSize(14);
    }

    @Test
    void queuedCallsOfAllInstancesProceedAtOnePace() throws Exception {
        open(new Limit.LeakyBucket(60, MINUTE, 9, MINUTE), strict());

        List<Long> delays = admitted(5).stream()
                .map(decision -> Objects.requireNonNull(decision.ticket()).delayMillis())
                .sorted()
                .toList();

        assertThat(delays).hasSize(10);
        for (int i = 0; i < 10; i++) {
            // each instance's idea of the store's clock is wrong by half a round trip; where a call has returned what
            // it was granted, its moment may be passed over, and another call goes on together with its neighbour
            assertThat(delays.get(i)).isBetween(1_000L * i - 1_500, 1_000L * i + 1_500);
        }
    }

    @Test
    void slotsOfAGoneInstanceAreFreedWhenItsLeaseEnds() throws Exception {
        open(new Limit.Concurrency(THRESHOLD, Limit.Concurrency.Scope.FLEET), strict());
        for (int i = 0; i < THRESHOLD; i++) {
            assertThat(fleet.get(0).decide(CALL).admitted()).isTrue();
        }
        assertThat(fleet.get(1).decide(CALL).admitted()).isFalse();
        fleet.remove(0).close();

        clock.advance(Duration.ofSeconds(11));
        retryUntilAdmitted();

        assertThat(admittedUpTo(THRESHOLD - 1)).hasSize(THRESHOLD - 1);
        assertThat(admitted(30)).isEmpty();
    }

    /** One store for all: closing a limiter leaves it open. */
    private final class Unclosed implements CounterStore {

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return shared.exchange(batch);
        }

        @Override
        public void close() {}
    }
}
