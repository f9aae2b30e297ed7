package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Cost;
import dev.sluice.Cost.Settling;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that reserve an estimate, and settle what they cost. The limit is 100. */
class ReservedCostTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Set<Integer> ALL = Set.of();

    /** At the beginning of an hour. */
    private final TestClock clock = new TestClock(1_627_318_800_000L);

    private CountingRateLimiter limiter = limited(Settling.KEEP, ALL, tier(100, HOUR));

    private CountingRateLimiter limited(Settling unlessSettled, Set<Integer> counted, Tier... tiers) {
        Cost cost = new Cost("estimate", call -> Long.parseLong(call.header("Estimate")), unlessSettled);
        return new CountingRateLimiter(
                TestLimits.of(counting(endpoint("tokens", "/a", tiers), counted, cost)), clock, RateLimitListener.NONE);
    }

    private void open(Settling unlessSettled, Set<Integer> counted, Tier... tiers) {
        limiter.close();
        limiter = limited(unlessSettled, counted, tiers);
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private Decision call(long estimate) {
        return limiter.decide(TestCall.get("/a").of("acme").with("Estimate", String.valueOf(estimate)));
    }

    private Ticket reserve(long estimate) {
        Decision decision = call(estimate);
        assertThat(decision.outcome()).isEqualTo(Outcome.ADMITTED);
        return Objects.requireNonNull(decision.ticket(), "a ticket");
    }

    /** What is left, by a call that takes nothing. */
    private long left() {
        Decision decision = call(0);
        Objects.requireNonNull(decision.ticket()).settle(0);
        return decision.remaining();
    }

    static Stream<Limit> limits() {
        return TestLimits.ofEachAlgorithm(100, HOUR).stream().filter(Limit::hasPeriod);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void unusedReservationsAreRefundedOnce(Limit limit) {
        open(Settling.KEEP, ALL, new Tier("t", limit));
        Ticket inFlight = reserve(60);
        assertThat(left()).isEqualTo(40);

        assertThat(inFlight.settle(10)).isTrue();
        assertThat(left()).isEqualTo(90);

        assertThat(inFlight.settle(0)).isFalse();
        inFlight.ended(200);
        assertThat(inFlight.settle(0)).isFalse();
        assertThat(left()).isEqualTo(90);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aCostBeyondTheEstimateIsCountedToo(Limit limit) {
        open(Settling.KEEP, ALL, new Tier("t", limit));
        Ticket inFlight = reserve(60);

        assertThat(inFlight.settle(85)).isTrue();

        assertThat(left()).isEqualTo(15);
    }

    /** Otherwise all calls in flight could pass together, as they do if costs are charged afterwards. */
    @Test
    void callsInFlightNeverReserveMoreThanTheLimit() throws Exception {
        for (int round = 0; round < 50; round++) {
            open(Settling.KEEP, ALL, tier(100, HOUR));
            AtomicInteger spent = new AtomicInteger();
            ExecutorService callers = Executors.newFixedThreadPool(8);
            for (int caller = 0; caller < 8; caller++) {
                callers.execute(() -> {
                    for (int i = 0; i < 100; i++) {
                        Decision decision = call(20);
                        if (decision.admitted()) {
                            spent.addAndGet(7);
                            decision.ticket().settle(7);
                            decision.ticket().ended(200);
                        }
                    }
                });
            }
            callers.shutdown();
            assertThat(callers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(spent).hasValueBetween(81, 100); // a last call of 20 would fit below
            assertThat(left()).isEqualTo(100 - spent.get());
        }
    }

    @Test
    void aCallThatEndsWithoutSettlingKeepsItsEstimateAndMaySettleLater() {
        Ticket socket = reserve(60);
        socket.ended(101);
        assertThat(left()).isEqualTo(40);

        assertThat(socket.settle(25)).isTrue();

        assertThat(left()).isEqualTo(75);
    }

    @Test
    void aCallThatEndsWithoutSettlingGivesItsEstimateBackWhereTheFileSaysSo() {
        open(Settling.REFUND, ALL, tier(100, HOUR));
        Ticket failed = reserve(60);
        failed.ended(500);
        assertThat(left()).isEqualTo(100);

        Ticket streamed = reserve(60);
        streamed.charge(20);
        streamed.ended(200);
        assertThat(left()).isEqualTo(80);
    }

    /** Otherwise who leaves in the middle of a stream pays for nothing that the model writes from then on. */
    @ParameterizedTest
    @MethodSource("limits")
    void lateSettlementsCountAfterTheRefund(Limit limit) {
        open(Settling.REFUND, ALL, new Tier("t", limit));
        Ticket left = reserve(60);
        left.charge(20);
        left.ended(Ticket.UNANSWERED);
        assertThat(left()).isEqualTo(80);

        assertThat(left.charge(30).counted()).isTrue();
        assertThat(left()).isEqualTo(50);
        assertThat(left.settle(65)).isTrue();

        assertThat(left()).isEqualTo(35);
        assertThat(left.settle(90)).isFalse();
        assertThat(left.charge(1).counted()).isFalse();
        assertThat(left()).isEqualTo(35);
    }

    @Test
    void aLateSettlementGivesBackWhatWasChargedBeforeTheEnd() {
        open(Settling.REFUND, ALL, tier(100, HOUR));
        Ticket socket = reserve(60);
        socket.charge(40);
        socket.ended(101);

        assertThat(socket.settle(10)).isTrue();

        assertThat(left()).isEqualTo(90);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void reservationsCoverCharges(Limit limit) {
        open(Settling.KEEP, ALL, new Tier("t", limit));
        Ticket stream = reserve(30);
        assertThat(stream.charge(20).counted()).isTrue();
        assertThat(left()).isEqualTo(70);
        assertThat(stream.charge(20).counted()).isTrue();
        assertThat(left()).isEqualTo(60);

        assertThat(stream.settle(35)).isTrue();

        assertThat(left()).isEqualTo(65);
        assertThat(stream.charge(20).counted()).isFalse();
        assertThat(left()).isEqualTo(65);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void chargesBeyondTheReservationComeBackToo(Limit limit) {
        open(Settling.KEEP, ALL, new Tier("t", limit));
        Ticket stream = reserve(10);
        stream.charge(30);
        clock.advance(Duration.ofMillis(700));
        stream.charge(20);
        assertThat(left()).isEqualTo(50);

        assertThat(stream.settle(20)).isTrue();
        assertThat(left()).isEqualTo(80);

        Ticket other = reserve(5);
        other.charge(15);
        other.settle(2);
        assertThat(left()).isEqualTo(78);
    }

    /** In one process, a charge takes no more than is left. */
    @ParameterizedTest
    @MethodSource("limits")
    void noMoreComesBackThanWasCounted(Limit limit) {
        open(Settling.KEEP, ALL, new Tier("t", limit));
        reserve(90).settle(90);
        Ticket stream = reserve(5);
        stream.charge(50);
        assertThat(call(1).admitted()).isFalse();

        assertThat(stream.settle(7)).isTrue();

        assertThat(left()).isEqualTo(3);
    }

    /** Earlier charges have flowed back by themselves, and are a part of what the call cost. */
    @ParameterizedTest
    @MethodSource("limits")
    void theLatestChargesComeBackFirst(Limit limit) {
        Assumptions.assumeFalse(limit instanceof Limit.FixedWindow, "its window is over");
        open(Settling.KEEP, ALL, new Tier("t", limit));
        Ticket stream = reserve(5);
        stream.charge(50);
        clock.advance(HOUR.multipliedBy(3));
        stream.charge(10);
        assertThat(left()).isEqualTo(90);

        assertThat(stream.settle(52)).isTrue();

        assertThat(left()).isEqualTo(98);
    }

    @Test
    void anAnswerThatDoesNotCountGivesBackItsChargesToo() {
        open(Settling.KEEP, Set.of(200), tier(100, HOUR));
        Ticket failed = reserve(10);
        failed.charge(40);
        failed.ended(500);
        assertThat(left()).isEqualTo(100);
    }

    @Test
    void aSettlementChangesOnlyWindowsThatAreStillOpen() {
        open(Settling.KEEP, ALL, tier(100, Duration.ofMinutes(1)), tier(300, HOUR));
        Ticket slow = reserve(80);
        Ticket dear = reserve(20);
        clock.advance(Duration.ofMinutes(1));
        reserve(90).settle(90);

        slow.settle(30);
        dear.settle(60);

        assertThat(left()).isEqualTo(10); // of the minute
        clock.advance(Duration.ofMinutes(1));
        assertThat(call(10).remaining()).isEqualTo(110); // of the hour: 300 - 30 - 60 - 90 - 10
    }

    @Test
    void chargesInALaterWindowCountThere() {
        open(Settling.KEEP, ALL, tier(100, Duration.ofMinutes(1)), tier(300, HOUR));
        Ticket stream = reserve(80);
        stream.charge(30);
        clock.advance(Duration.ofMinutes(1));

        stream.charge(40);

        assertThat(left()).isEqualTo(60);
        assertThat(stream.settle(70)).isTrue();
        clock.advance(Duration.ofMinutes(1));
        assertThat(call(10).remaining()).isEqualTo(220); // of the hour: 300 - 70 - 10
    }

    /** Half of what was reserved has flowed back by then. */
    @Test
    void aBucketIsRefundedNoMoreThanIsStillMissing() {
        open(Settling.KEEP, ALL, new Tier("t", new Limit.TokenBucket(100, HOUR, 100)));
        Ticket inFlight = reserve(60);
        clock.advance(HOUR.dividedBy(2)); // 50 of the 60 are back
        assertThat(left()).isEqualTo(90);

        inFlight.settle(10);

        assertThat(left()).isEqualTo(100);
        assertThat(call(101).admitted()).isFalse();
    }

    /** What calls in flight have reserved may come back at any moment. */
    @Test
    void callsRefusedByOpenEstimatesMayRetrySoon() {
        Ticket inFlight = reserve(100);
        assertThat(call(10).retryAfterMillis()).isEqualTo(1_000);

        inFlight.settle(95);

        assertThat(call(10).retryAfterMillis()).isEqualTo(HOUR.toMillis());
    }

    @Test
    void anAnswerThatDoesNotCountGivesBackWhatIsLeftOfIt() {
        open(Settling.KEEP, Set.of(200), tier(100, HOUR));
        Ticket first = reserve(60);
        first.settle(20);
        first.ended(500);
        assertThat(left()).isEqualTo(100);

        Ticket second = reserve(60);
        second.ended(200);
        assertThat(left()).isEqualTo(40);
    }

    @Test
    void aCallThatIsNotServedGivesBackAll() {
        InFlightCall.endUnserved(reserve(60));
        assertThat(left()).isEqualTo(100);
    }

    @Test
    void negativeCostsAreRefused() {
        Ticket inFlight = reserve(10);
        assertThatThrownBy(() -> inFlight.settle(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("amount -1 is negative; it cannot be settled");
    }

    @Nested
    class AfterAChangeOfTheLimits {

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2, 3, 4, 5})
        void theSettlementGoesToTheSameCount(int algorithm) {
            Limit limit = TestLimits.ofEachAlgorithm(100, HOUR).get(algorithm);
            Limit wider = TestLimits.ofEachAlgorithm(200, HOUR).get(algorithm);
            open(Settling.KEEP, ALL, new Tier("t", limit));
            Ticket inFlight = reserve(60);
            limiter.replace(TestLimits.of(counting(
                    endpoint("tokens", "/a", new Tier("t", wider)),
                    ALL,
                    new Cost("estimate", call -> Long.parseLong(call.header("Estimate")), Settling.KEEP))));
            assertThat(left()).isEqualTo(140);

            inFlight.settle(20);

            assertThat(left()).isEqualTo(180);
        }
    }
}
