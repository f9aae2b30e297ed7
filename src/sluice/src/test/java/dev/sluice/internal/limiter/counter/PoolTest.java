package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.local.LocalCounters;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every pool. */
class PoolTest {

    private static final long NOW = 1_627_318_780_000L;
    private static final Duration SECOND = Duration.ofSeconds(1);

    static Stream<Limit> limitsOfOne() {
        return Stream.of(
                new Limit.FixedWindow(1, SECOND),
                new Limit.SlidingWindow(1, SECOND, 4),
                new Limit.TokenBucket(1, SECOND, 1),
                new Limit.LeakyBucket(1, SECOND, 0, Duration.ZERO),
                new Limit.SlidingLog(1, SECOND),
                new Limit.Concurrency(1, Limit.Concurrency.Scope.SERVER));
    }

    private static Pool pool(Limit limit) {
        return pool(counter(limit));
    }

    private static Pool pool(Counter counter) {
        return Objects.requireNonNull(counter.at(NOW));
    }

    private static Counter counter(Limit limit) {
        CounterFamily family = new CounterFamilies(
                        new UnsharedCounting(() -> Instant.ofEpochMilli(NOW)), () -> 0, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "GET", new Tier("t", limit), List.of("tenant"), List.of("ip")));
        return LocalCounters.open(family, "acme");
    }

    /** Starts a thread that takes what another call holds, and checks that it waits. */
    private static CompletableFuture<Long> takeFrom(Pool pool) {
        return waiting(pool, () -> pool.take(1, NOW));
    }

    private static CompletableFuture<Long> waiting(Pool pool, Supplier<Long> call) {
        CompletableFuture<Long> taking = new CompletableFuture<>();
        Thread taker = new Thread(() -> taking.complete(call.get()), "taker");
        taker.setDaemon(true);
        taker.start();
        Eventually.await("a call that waits", () -> waitsForHolder(taker));
        assertThat(taking).isNotDone();
        assertThat(pool.surelyShortOf(1, NOW)).isFalse();
        return taking;
    }

    private static boolean waitsForHolder(Thread taker) {
        return Stream.of(taker.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("waitForBorrower"));
    }

    /** A stream that a charge answers would stop for a call that another limit then refuses. */
    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void whatACallBorrowsIsNotUsedYet(Limit limit) throws Exception {
        Pool pool = pool(limit);
        long state = pool.borrow(1, 0, NOW);
        CompletableFuture<Long> usable = waiting(pool, () -> pool.usableOnceDecided(NOW));
        pool.release(1, state, NOW);
        assertThat(usable.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void releasedPermitsWereNeverMissing(Limit limit) throws Exception {
        Pool pool = pool(limit);
        long held = pool.borrow(1, 0, NOW);
        assertThat(held).isNotNegative();
        CompletableFuture<Long> taking = takeFrom(pool);
        pool.release(1, held, NOW);
        assertThat(taking.get(10, TimeUnit.SECONDS)).isNotNegative();
        assertThat(pool.take(1, NOW)).isEqualTo(Pool.TOO_FEW);
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void keptPermitsAreTaken(Limit limit) throws Exception {
        Pool pool = pool(limit);
        assertThat(pool.borrow(1, 0, NOW)).isNotNegative();
        CompletableFuture<Long> taking = takeFrom(pool);
        pool.keep();
        assertThat(taking.get(10, TimeUnit.SECONDS)).isEqualTo(Pool.TOO_FEW);
        assertThat(pool.surelyShortOf(1, NOW)).isTrue();
    }

    /** A call that is charged afterwards takes nothing, and passes only while something is left. */
    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void aCallThatIsChargedLaterIsPendingUntilItIsKnownWhetherAnythingIsLeft(Limit limit) throws Exception {
        Pool pool = pool(limit);
        long held = pool.borrow(1, 0, NOW);
        CompletableFuture<Long> whereItIsGivenBack = waiting(pool, () -> pool.borrow(0, 1, NOW));
        pool.release(1, held, NOW);
        assertThat(whereItIsGivenBack.get(10, TimeUnit.SECONDS)).isNotNegative();
        pool.keep();

        assertThat(pool.borrow(1, 0, NOW)).isNotNegative();
        CompletableFuture<Long> whereItIsKept = waiting(pool, () -> pool.borrow(0, 1, NOW));
        pool.keep();
        assertThat(whereItIsKept.get(10, TimeUnit.SECONDS)).isEqualTo(Pool.TOO_FEW);
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void aClosedPoolGivesNothing(Limit limit) {
        Counter counter = counter(limit);
        Pool pool = pool(counter);
        long held = pool.borrow(1, 0, NOW);
        assertThat(held).isNotNegative();
        counter.retire();
        assertThat(pool.take(1, NOW)).isEqualTo(Pool.CLOSED);
        pool.release(1, held, NOW);
        assertThat(pool.borrow(1, 0, NOW)).isEqualTo(Pool.CLOSED);
        assertThat(pool.take(0, NOW)).isEqualTo(Pool.CLOSED);
    }

    /**
     * A call that is delayed for a minute between reading the clock and taking must not look like a clock that has
     * stepped back.
     */
    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void aVeryLateRefundHelpsNobody(Limit limit) {
        Pool pool = pool(limit);
        assertThat(pool.take(1, NOW)).isNotNegative();
        assertThat(pool.take(1, NOW - 60_000)).isEqualTo(Pool.TOO_FEW);
        assertThat(pool.take(1, NOW)).isEqualTo(Pool.TOO_FEW);
    }

    /**
     * A window of a process of its own is used again for the next; what was taken from the one before is forgotten with
     * it.
     */
    @Test
    void aLateRefundDoesNotHelpTheNextWindow() {
        Pool pool = pool(new Limit.FixedWindow(1, SECOND));
        long taken = pool.take(1, NOW);
        assertThat(pool.take(1, NOW + 1_000)).isNotNegative();

        pool.putBack(1, taken, NOW);
        assertThat(pool.take(1, NOW + 1_000)).isEqualTo(Pool.TOO_FEW);
        assertThat(pool.take(1, NOW + 2_000)).isNotNegative();
    }

    @Test
    void aLateCallTakesFromTheWindowThatHasBegunAndGivesBackThere() {
        Pool pool = pool(new Limit.FixedWindow(2, SECOND));
        assertThat(pool.take(1, NOW + 1_000)).isNotNegative();
        long held = pool.borrow(1, 0, NOW + 999);
        assertThat(pool.left(NOW + 1_000)).isZero();
        assertThat(pool.resetMillis(held, NOW + 999)).isEqualTo(1_001);

        pool.release(1, held, NOW + 999);
        assertThat(pool.left(NOW + 1_000)).isEqualTo(1);
    }

    /** What calls of an ended window may give back is not available to those of the next. */
    @Test
    void refundsToAnEndedWindowAreNotExpected() {
        Pool pool = pool(new Limit.FixedWindow(1, Duration.ofHours(1)));
        long before = NOW - NOW % 3_600_000;
        long now = before + 3_600_000;
        long first = pool.take(1, before);
        pool.addRefundable(1, first);
        assertThat(pool.retryMillisIfCallsReturn(1, false, before)).isEqualTo(Pool.SOON_MILLIS);

        long second = pool.take(1, now);
        assertThat(pool.retryMillisIfCallsReturn(1, false, now)).isEqualTo(3_600_000);
        pool.addRefundable(1, second);
        pool.addRefundable(-1, first);
        assertThat(pool.retryMillisIfCallsReturn(1, false, now)).isEqualTo(Pool.SOON_MILLIS);
        pool.addRefundable(-1, second);
        assertThat(pool.retryMillisIfCallsReturn(1, false, now)).isEqualTo(3_600_000);
    }

    /** The word must never go below zero, nor forget those who are in flight now for one of the window before. */
    @Test
    void aCallThatIsNotedLateChangesNothingForTheWindowThatHasBegun() {
        Pool pool = pool(new Limit.FixedWindow(5, SECOND));
        long late = pool.take(1, NOW);
        long first = pool.take(1, NOW + 1_000);
        long second = pool.take(1, NOW + 1_000);
        pool.addRefundable(1, first);
        pool.addRefundable(1, late);
        pool.addRefundable(1, second);
        assertThat(pool.refundable(NOW + 1_000)).isEqualTo(2);

        pool.addRefundable(-1, late);
        pool.addRefundable(-1, first);
        pool.addRefundable(-1, second);
        assertThat(pool.refundable(NOW + 1_000)).isZero();
        pool.addRefundable(-1, second);
        assertThat(pool.refundable(NOW + 1_000)).isZero();
        pool.addRefundable(1, second);
        assertThat(pool.refundable(NOW + 1_000)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void isRetiredWhenIdleButNotWhileSomethingIsHeld(Limit limit) {
        Counter counter = counter(limit);
        Pool pool = pool(counter);
        long held = pool.borrow(1, 0, NOW);
        assertThat(counter.isWorthKeeping(NOW)).isTrue();
        assertThat(counter.retireIfIdle(NOW)).isFalse();
        assertThat(counter.isRetired()).isFalse();

        pool.release(1, held, NOW);
        assertThat(counter.isWorthKeeping(NOW)).isFalse();
        assertThat(counter.retireIfIdle(NOW + 60_000)).isTrue();
        assertThat(counter.isRetired()).isTrue();
        assertThat(counter.at(NOW + 60_000)).isNull();
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void aRetiredCounterHasNoPool(Limit limit) {
        Counter counter = counter(limit);
        counter.retire();
        assertThat(counter.isRetired()).isTrue();
        assertThat(counter.at(NOW)).isNull();
    }

    /**
     * In one process each frame is a pool of its own, and all share the counter's refundable use. What a frame may give
     * back is not counted for the next.
     */
    @Test
    void refundsToAnotherFrameAreNotExpected() {
        Pool before = pool(new Limit.SlidingWindow(1, SECOND, 4));
        before.addRefundable(1, before.take(1, NOW));
        assertThat(before.retryMillisIfCallsReturn(1, false, NOW))
                .isEqualTo(Math.min(before.retryMillis(1, NOW), Pool.SOON_MILLIS));
        assertThat(before.refundable(NOW)).isEqualTo(1);

        Pool next = Objects.requireNonNull(before.at(NOW + 250));
        assertThat(next).isNotSameAs(before);
        assertThat(next.refundable(NOW + 250)).isZero();
        next.addRefundable(1, next.state(NOW + 250));
        before.addRefundable(-1, before.state(NOW));
        assertThat(next.refundable(NOW + 250)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void aVeryLateChargeGivesNobodyMore(Limit limit) {
        Pool pool = pool(limit);
        assertThat(pool.take(1, NOW)).isNotNegative();
        pool.charge(1, NOW - 60_000);
        assertThat(pool.state(NOW - 60_000)).isNotNegative();
        assertThat(pool.take(1, NOW)).isEqualTo(Pool.TOO_FEW);
    }

    @Test
    void aWindowIsIdleAPeriodAfterItsEnd() {
        Counter counter = counter(new Limit.FixedWindow(2, SECOND));
        Pool pool = pool(counter);
        assertThat(pool.take(1, NOW)).isNotNegative();
        assertThat(counter.retireIfIdle(NOW + 1_999)).isFalse();
        assertThat(pool.borrow(1, 0, NOW + 1_999)).isNotNegative();
        assertThat(counter.retireIfIdle(NOW + 9_000)).isFalse();
        pool.keep();
        assertThat(counter.retireIfIdle(NOW + 9_000)).isTrue();
        assertThat(pool.take(1, NOW + 9_000)).isEqualTo(Pool.CLOSED);
    }

    private static Pool pool(Limit limit, Overage overage, double load) {
        Tier tier = new Tier("t", limit, overage, Sync.DEFAULT);
        CounterFamily family = new CounterFamilies(
                        new UnsharedCounting(() -> Instant.ofEpochMilli(NOW)), () -> load, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "GET", tier, List.of("tenant"), List.of("ip")));
        return pool(LocalCounters.open(family, "acme"));
    }

    @Test
    void isMostlyUsedOnceLessThanHalfIsLeft() {
        Pool pool = pool(new Limit.FixedWindow(2, SECOND));
        assertThat(pool.leftInProportion(NOW)).isEqualTo(1);
        pool.take(1, NOW);
        assertThat(pool.leftInProportion(NOW)).isEqualTo(0.5);
        assertThat(pool.isMostlyUsed(NOW)).isFalse();
        pool.take(1, NOW);
        assertThat(pool.isMostlyUsed(NOW)).isTrue();
    }

    @Test
    void showsNoOverage() {
        Pool pool = pool(new Limit.FixedWindow(2, SECOND), new Overage.Soft(0.5), 0);
        assertThat(pool.leftInProportion(NOW)).isEqualTo(1);
        long within = pool.take(2, NOW);
        assertThat(pool.left(within, NOW)).isZero();
        assertThat(pool.usesOverage(within, NOW)).isFalse();
        long beyond = pool.take(1, NOW);
        assertThat(pool.usesOverage(beyond, NOW)).isTrue();
        assertThat(pool.withheldOverage()).isZero();
        assertThat(pool.elasticOverage()).isZero();
    }

    @Test
    void withholdsAnElasticOverageUnderHighLoad() {
        Limit two = new Limit.FixedWindow(2, SECOND);
        Pool calm = pool(two, new Overage.Elastic(1.5, 0.8), 0.7);
        assertThat(calm.withheldOverage()).isZero();
        assertThat(calm.elasticOverage()).isEqualTo(1);
        assertThat(calm.take(3, NOW)).isNotNegative();
        Pool loaded = pool(two, new Overage.Elastic(1.5, 0.8), 0.8);
        assertThat(loaded.withheldOverage()).isEqualTo(1);
        assertThat(loaded.take(3, NOW)).isEqualTo(Pool.TOO_FEW);
        assertThat(loaded.take(2, NOW)).isNotNegative();
    }
}
