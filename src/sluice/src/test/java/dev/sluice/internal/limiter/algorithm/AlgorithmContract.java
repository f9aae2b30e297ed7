package dev.sluice.internal.limiter.algorithm;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Assumptions;

/** What holds for every algorithm in one process, whatever the traffic. The clock stands still until it is set. */
abstract class AlgorithmContract {

    static final long START = 1_627_318_800_000L;
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration TEN_YEARS = Duration.ofDays(3652);

    private static final int THREADS = 8;

    /** The algorithm that is tested, with these figures. */
    abstract Limit limit(long threshold, Duration period);

    /** The simplest possible model of such a limit. */
    abstract LimitModel books(Limit limit);

    /** Fails if more was admitted in some span than the limit statements to let pass. */
    abstract void checkSpans(Limit limit, List<Admitted> admitted);

    /** The largest figures that are allowed; none may overflow. */
    Limit largest() {
        return limit(Limit.MAX_THRESHOLD, Duration.ofSeconds(1_000));
    }

    /** Whether what was admitted is forgotten with time. */
    boolean forgets() {
        return true;
    }

    /** Whether a call can count for more than one. */
    boolean countsCosts() {
        return true;
    }

    /** A slow and simple model: how much may pass at a moment, given all calls that have passed. */
    interface LimitModel {

        long left(long nowMillis);

        void note(long nowMillis, long cost);
    }

    /** Calls that passed at one moment. */
    record Admitted(long atMillis, long cost) {}

    /** One call of some traffic: how long after the one before, in parts of the period, and what it costs. */
    record Step(double gap, long cost) {}

    /** A limiter with one endpoint; each call says what it costs. */
    static final class Tested implements AutoCloseable {

        final TestClock clock = new TestClock(START);
        final CountingRateLimiter limiter;

        Tested(Tier tier) {
            this(tier, () -> 0);
        }

        Tested(Tier tier, LoadSignal load) {
            Endpoint plain = endpoint("e", "/a", tier);
            Endpoint costed = new Endpoint(
                    "e",
                    plain.methods(),
                    plain.pathPatterns().get(0),
                    plain.per(),
                    plain.mode(),
                    plain.when(),
                    plain.countedStatuses(),
                    new Cost(
                            "header:X-Cost",
                            call -> Long.parseLong(Objects.requireNonNull(call.header("X-Cost"))),
                            Cost.Settling.NONE),
                    plain.tiers());
            limiter = new CountingRateLimiter(
                    TestLimits.of(costed, endpoint("single", "/single", tier)),
                    clock,
                    RateLimitListener.NONE,
                    null,
                    "",
                    load);
        }

        static Tested of(Limit limit) {
            return new Tested(new Tier("t", limit));
        }

        Decision call(long cost) {
            return limiter.decide(TestCall.get("/a").with("X-Cost", String.valueOf(cost)));
        }

        /** Makes a call that the fast path decides. */
        Decision single() {
            return limiter.decide(TestCall.get("/single"));
        }

        /** Makes calls that cost one, until one is refused, but at most so many; returns how many passed. */
        long exhaust(long atMost) {
            long passed = 0;
            while (passed < atMost && call(1).admitted()) {
                passed++;
            }
            return passed;
        }

        void at(long millis) {
            clock.set(millis);
        }

        @Override
        public void close() {
            limiter.close();
        }
    }

    @Provide
    Arbitrary<Limit> limits() {
        return Combinators.combine(
                        Arbitraries.longs().between(1, 40),
                        Arbitraries.of(1_000L, 4_004L, 60_000L, 3_600_000L).map(Duration::ofMillis))
                .as(this::limit);
    }

    @Provide
    Arbitrary<List<Step>> traffic() {
        Arbitrary<Double> gap = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.just(0.0)),
                Tuple.of(6, Arbitraries.doubles().between(0, 0.05)),
                Tuple.of(2, Arbitraries.doubles().between(0, 0.6)),
                Tuple.of(1, Arbitraries.doubles().between(0, 3)));
        Arbitrary<Long> cost = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.just(1L)),
                Tuple.of(2, Arbitraries.longs().between(0, 12)));
        return Combinators.combine(gap, cost).as(Step::new).list().ofMinSize(1).ofMaxSize(150);
    }

    /** Plays the traffic; what passed. */
    private static List<Admitted> play(Tested tested, Limit limit, List<Step> traffic) {
        List<Admitted> admitted = new ArrayList<>();
        for (Step step : traffic) {
            tested.clock.advance(Duration.ofMillis(Math.round(step.gap * periodOf(limit))));
            if (tested.call(step.cost).admitted()) {
                admitted.add(new Admitted(tested.clock.millis(), step.cost));
            }
        }
        return admitted;
    }

    static long periodOf(Limit limit) {
        return limit.period().isZero() ? 1_000 : limit.period().toMillis();
    }

    @Property(tries = 300)
    void neverAdmitsMoreThanItReports(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        try (Tested tested = Tested.of(limit)) {
            checkSpans(limit, play(tested, limit, traffic));
        }
    }

    /** Three instances on one store that decides each call; a call refused by one instance is made at the next. */
    @Property(tries = 100)
    void aStrictFleetNeverAdmitsMore(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        TestClock clock = new TestClock(START);
        InMemoryCounterStore store = new InMemoryCounterStore(clock, 1_000);
        Tier strict = new Tier("t", limit, new Sync(Duration.ofSeconds(1), 0, true));
        VirtualTimeFleet fleet =
                new VirtualTimeFleet(TestLimits.of(endpoint("single", "/single", strict)), clock, store, 3);
        List<Admitted> admitted = new ArrayList<>();
        for (int i = 0; i < traffic.size(); i++) {
            long moment = clock.millis() + Math.round(traffic.get(i).gap * periodOf(limit));
            for (int step = 1; step <= 20; step++) {
                clock.advance(Duration.ofMillis((moment - clock.millis()) * step / 20));
                fleet.step();
            }
            for (int tried = 0; tried < 3; tried++) {
                if (fleet.decide((i + tried) % 3, TestCall.get("/single")).admitted()) {
                    admitted.add(new Admitted(moment, 1));
                    break;
                }
            }
        }
        fleet.close();
        assertThat(admitted).isNotEmpty();
        checkFleet(limit, admitted);
    }

    void checkFleet(Limit limit, List<Admitted> admitted) {
        checkSpans(limit, admitted);
    }

    @Property(tries = 300)
    void decidesLikeAnExactModel(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        LimitModel books = books(limit);
        try (Tested tested = Tested.of(limit)) {
            for (Step step : traffic) {
                tested.clock.advance(Duration.ofMillis(Math.round(step.gap * periodOf(limit))));
                long now = tested.clock.millis();
                long counted = countsCosts() ? step.cost : Math.min(step.cost, 1);
                boolean passes = counted <= books.left(now);
                if (passes) {
                    books.note(now, counted);
                }
                Decision decision = tested.call(step.cost);
                assertThat(decision.admitted()).as("%s at %d", step, now).isEqualTo(passes);
                assertThat(decision.remaining()).as("%s at %d", step, now).isEqualTo(books.left(now));
                assertThat(decision.limit()).isEqualTo(limit.threshold());
                assertThat(decision.outcome()).isEqualTo(passes ? Outcome.ADMITTED : Outcome.REFUSED);
            }
        }
    }

    @Property(tries = 200)
    void fastPathAndFullPathAgree(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        try (Tested tested = Tested.of(limit)) {
            for (Step step : traffic) {
                tested.clock.advance(Duration.ofMillis(Math.round(step.gap * periodOf(limit))));
                Decision one = tested.call(1);
                Decision other = tested.single();
                assertThat(other.outcome()).isEqualTo(one.outcome());
                assertThat(other.remaining()).isEqualTo(one.remaining());
                assertThat(other.resetAfterMillis()).isEqualTo(one.resetAfterMillis());
                assertThat(other.retryAfterMillis()).isEqualTo(one.retryAfterMillis());
            }
        }
    }

    @Property(tries = 200)
    void aLargeCostEqualsManySingleCalls(
            @ForAll("limits") Limit limit,
            @ForAll("traffic") List<Step> traffic,
            @ForAll @LongRange(min = 1, max = 40) long n) {
        if (!countsCosts()) {
            return;
        }
        try (Tested singles = Tested.of(limit);
                Tested options = Tested.of(limit)) {
            play(singles, limit, traffic);
            play(options, limit, traffic);
            boolean allPass = n <= singles.call(0).remaining();
            Decision atOnce = options.call(n);
            assertThat(atOnce.admitted()).isEqualTo(allPass);
            if (allPass) {
                assertThat(singles.exhaust(n)).isEqualTo(n);
                Decision last = singles.call(0);
                assertThat(atOnce.remaining()).isEqualTo(last.remaining());
                assertThat(atOnce.resetAfterMillis()).isEqualTo(last.resetAfterMillis());
            }
        }
    }

    /** If nobody else calls, a refused caller passes after exactly the time that it was told. */
    @Property(tries = 400)
    void retryAfterAlwaysSuffices(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        try (Tested tested = Tested.of(limit)) {
            for (Step step : traffic) {
                tested.clock.advance(Duration.ofMillis(Math.round(step.gap * periodOf(limit))));
                Decision decision = tested.call(step.cost);
                if (!decision.admitted() && step.cost <= limit.capacity()) {
                    checkRetry(tested, step.cost, decision.retryAfterMillis());
                }
            }
        }
    }

    void checkRetry(Tested tested, long cost, long retryMillis) {
        assertThat(retryMillis).isPositive();
        long now = tested.clock.millis();
        tested.at(now + retryMillis - 1);
        assertThat(tested.call(cost).admitted())
                .as("a millisecond before " + retryMillis)
                .isFalse();
        tested.at(now + retryMillis);
        assertThat(tested.call(cost).admitted()).as("after %d ms", retryMillis).isTrue();
    }

    @Property(tries = 200)
    void isUnusedAfterItsReset(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        if (!forgets()) {
            return;
        }
        try (Tested tested = Tested.of(limit)) {
            play(tested, limit, traffic);
            long reset = tested.call(0).resetAfterMillis();
            assertThat(reset).isNotNegative();
            tested.clock.advance(Duration.ofMillis(reset));
            assertThat(tested.call(1).remaining()).isEqualTo(limit.capacity() - 1);
        }
    }

    @Example
    void aCostOfZeroTakesNothing() {
        try (Tested tested = Tested.of(limit(5, MINUTE))) {
            assertThat(tested.call(0).remaining()).isEqualTo(5);
            assertThat(tested.exhaust(10)).isEqualTo(5);
            assertThat(tested.call(0).admitted()).isTrue();
            assertThat(tested.call(0).remaining()).isZero();
        }
    }

    @Property(tries = 50)
    void refusesHugeCostsAndForgetsThem(@ForAll @LongRange(min = 6) long cost) {
        if (!countsCosts()) {
            return;
        }
        try (Tested tested = Tested.of(limit(5, MINUTE))) {
            Decision decision = tested.call(cost);
            assertThat(decision.admitted()).isFalse();
            assertThat(decision.remaining()).isEqualTo(5);
            assertThat(decision.retryAfterMillis()).isBetween(0L, 2 * MINUTE.toMillis());
            assertThat(tested.exhaust(10)).isEqualTo(5);
        }
    }

    @Example
    void supportsTheLargestFigures() {
        Limit limit = largest();
        try (Tested tested = Tested.of(limit)) {
            assertThat(tested.call(1).remaining()).isEqualTo(limit.capacity() - 1);
            assertThat(tested.single().remaining()).isEqualTo(limit.capacity() - 1);
            tested.clock.advance(Duration.ofDays(1));
            assertThat(tested.call(1).admitted()).isTrue();
            assertThat(tested.call(limit.capacity()).resetAfterMillis())
                    .isBetween(0L, Duration.ofDays(4 * 366).toMillis());
        }
    }

    /** Figures that have no common divisor make the finest units of time. */
    @Property(tries = 100)
    void supportsFiguresThatDoNotDivide(
            @ForAll @LongRange(min = 1, max = 99_991) long threshold,
            @ForAll @LongRange(min = 1, max = 10_000_000) long quarter) {
        Limit limit = limit(threshold, Duration.ofMillis(4 * quarter));
        try (Tested tested = Tested.of(limit)) {
            assertThat(tested.call(1).remaining()).isEqualTo(limit.capacity() - 1);
            tested.clock.advance(Duration.ofMillis(8 * quarter));
            assertThat(tested.call(1).admitted()).isEqualTo(forgets() || limit.capacity() > 1);
        }
    }

    @Example
    void isUnusedAfterALongPause() {
        if (!forgets()) {
            return;
        }
        try (Tested tested = Tested.of(limit(5, MINUTE))) {
            tested.exhaust(10);
            tested.clock.advance(TEN_YEARS);
            tested.limiter.sweep();
            assertThat(tested.limiter.counters()).isZero();
            assertThat(tested.exhaust(10)).isEqualTo(5);
            tested.clock.advance(TEN_YEARS);
            assertThat(tested.exhaust(10)).isEqualTo(5);
        }
    }

    @Property(tries = 200)
    void aClockStepBackAdmitsNoExtraCall(
            @ForAll @LongRange(min = 0, max = 60_000) long at, @ForAll @LongRange(min = 1, max = 60_000) long step) {
        try (Tested tested = Tested.of(limit(5, MINUTE))) {
            tested.at(START + 60_000 + at);
            tested.exhaust(10);
            tested.at(START + 60_000 + at - step);
            assertThat(tested.exhaust(10)).isZero();
        }
    }

    @Property(tries = 100)
    void aClockStepBackRefusesNobodyForLong(@ForAll @LongRange(min = 1, max = 315_532_800_000L) long step) {
        if (!forgets()) {
            return;
        }
        try (Tested tested = Tested.of(limit(5, MINUTE))) {
            tested.exhaust(10);
            tested.at(START - step);
            tested.exhaust(10);
            tested.clock.advance(MINUTE.multipliedBy(3));
            assertThat(tested.exhaust(10)).isEqualTo(5);
        }
    }

    @Example
    void aShortClockJumpRefusesNobody() {
        if (!forgets()) {
            return;
        }
        try (Tested tested = Tested.of(limit(5, MINUTE))) {
            tested.clock.advance(TEN_YEARS);
            tested.exhaust(10);
            tested.at(START);
            for (int i = 0; i < 3; i++) {
                tested.call(1);
                tested.clock.advance(MINUTE);
            }
            tested.clock.advance(MINUTE.multipliedBy(2));
            assertThat(tested.exhaust(10)).isEqualTo(5);
        }
    }

    /**
     * Whether calls that were counted while the clock was wrong are forgotten once it is right; otherwise they count as
     * made at that moment.
     */
    boolean forgetsWhatAWrongClockNoted() {
        return forgets();
    }

    @Example
    void aClockThirtyDaysAheadRefusesNobody() {
        Assumptions.assumeTrue(forgetsWhatAWrongClockNoted(), "what a wrong clock noted counts as made now");
        try (Tested tested = Tested.of(limit(5, Duration.ofMinutes(5)))) {
            tested.clock.advance(Duration.ofDays(30));
            tested.exhaust(10);
            tested.at(START);
            assertThat(tested.call(0).remaining()).isEqualTo(5);
            assertThat(tested.exhaust(10)).isEqualTo(5);
        }
    }

    /** The sweep may be the first to see that the clock is right again. */
    @Example
    void aClockThirtyDaysAheadLeavesNoTrace() {
        Assumptions.assumeTrue(forgetsWhatAWrongClockNoted(), "what a wrong clock noted counts as made now");
        try (Tested tested = Tested.of(limit(5, Duration.ofMinutes(5)))) {
            tested.clock.advance(Duration.ofDays(30));
            tested.exhaust(10);
            tested.at(START);
            tested.limiter.sweep();
            assertThat(tested.exhaust(10)).isEqualTo(5);
        }
    }

    @Property(tries = 60)
    void isExactUnderManyThreads(@ForAll @IntRange(min = 1, max = 20) int threshold) throws InterruptedException {
        try (Tested tested = Tested.of(limit(threshold, MINUTE))) {
            long[] passed = new long[THREADS];
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = IntStream.range(0, THREADS)
                    .mapToObj(i -> new Thread(() -> passed[i] = tested.exhaust(1_000)))
                    .toList();
            threads.forEach(thread -> {
                thread.setUncaughtExceptionHandler((failed, thrown) -> failure.set(thrown));
                thread.start();
            });
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
            assertThat(Arrays.stream(passed).sum())
                    .isEqualTo(limit(threshold, MINUTE).capacity());
            assertThat(tested.call(0).remaining()).isZero();
        }
    }

    @Example
    void marksCallsBeyondTheThreshold() {
        Limit limit = limit(10, MINUTE);
        try (Tested tested = new Tested(new Tier("t", limit, new Overage.Soft(0.2), Sync.DEFAULT))) {
            for (int i = 0; i < 10; i++) {
                Decision within = tested.call(1);
                assertThat(within.outcome()).isEqualTo(Outcome.ADMITTED);
                assertThat(within.remaining()).isEqualTo(9 - i);
            }
            assertThat(tested.call(1).outcome()).isEqualTo(Outcome.ADMITTED_BEYOND);
            assertThat(tested.call(1).outcome()).isEqualTo(Outcome.ADMITTED_BEYOND);
            Decision refused = tested.call(1);
            assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(refused.remaining()).isZero();
            checkRetry(tested, 1, refused.retryAfterMillis());
        }
    }

    @Example
    void admitsOverageOnlyWhileTheLoadIsLow() {
        double[] load = {0.7};
        Overage elasticOverage = new Overage.Elastic(1.5, 0.6);
        try (Tested tested =
                new Tested(new Tier("t", limit(10, MINUTE), elasticOverage, Sync.DEFAULT), () -> load[0])) {
            assertThat(tested.exhaust(100)).isEqualTo(10);
            load[0] = 0.5;
            Decision beyond = tested.call(1);
            assertThat(beyond.outcome()).isEqualTo(Outcome.ADMITTED_BEYOND);
            assertThat(tested.exhaust(100)).isEqualTo(4);
            load[0] = 0.6;
            Decision refused = tested.call(1);
            assertThat(refused.admitted()).isFalse();
            checkRetry(tested, 1, refused.retryAfterMillis());
        }
    }
}
