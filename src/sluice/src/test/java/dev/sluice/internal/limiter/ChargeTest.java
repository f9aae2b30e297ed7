package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.dryRun;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Charge;
import dev.sluice.Cost;
import dev.sluice.Cost.Settling;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a charge answers, so that a stream can stop: how much more its call may be charged. */
class ChargeTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** At the beginning of an hour. */
    private final TestClock clock = new TestClock(1_627_318_800_000L);

    private CountingRateLimiter limiter = limited(reserving("tokens", tier(100, HOUR)));

    private CountingRateLimiter limited(Endpoint... endpoints) {
        return new CountingRateLimiter(TestLimits.of(endpoints), clock, RateLimitListener.NONE);
    }

    private void open(Endpoint... endpoints) {
        limiter.close();
        limiter = limited(endpoints);
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private static Endpoint reserving(String id, Tier... tiers) {
        return counting(endpoint(id, "/a", tiers), Set.of(), estimated());
    }

    private static Cost estimated() {
        return new Cost("estimate", call -> Long.parseLong(call.header("Estimate")), Settling.KEEP);
    }

    private Decision call(long estimate) {
        return limiter.decide(TestCall.get("/a").of("acme").with("Estimate", String.valueOf(estimate)));
    }

    private Ticket reserve(long estimate) {
        Decision decision = call(estimate);
        assertThat(decision.admitted()).isTrue();
        return Objects.requireNonNull(decision.ticket(), "a ticket");
    }

    static Stream<Limit> limits() {
        return TestLimits.ofEachAlgorithm(100, HOUR).stream().filter(Limit::hasPeriod);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aStreamMayUseItsReservationAndWhatNobodyHas(Limit limit) {
        open(reserving("tokens", new Tier("t", limit)));
        reserve(50);
        Ticket stream = reserve(20);

        assertThat(stream.charge(0).remaining()).isEqualTo(50);
        assertThat(stream.charge(15).remaining()).isEqualTo(35);
        assertThat(stream.charge(15).remaining()).isEqualTo(20);
        assertThat(stream.charge(19).nothingRemains()).isFalse();
        assertThat(stream.charge(1).nothingRemains()).isTrue();
    }

    /** What others have reserved is theirs until they settle, and a stream's own estimate is its own. */
    @Test
    void theReservationsOfOthersAreNotForStreams() {
        Ticket other = reserve(60);
        Ticket stream = reserve(40);
        assertThat(stream.charge(30).remaining()).isEqualTo(10);
        assertThat(stream.charge(10).nothingRemains()).isTrue();

        other.settle(5);

        assertThat(stream.charge(0).remaining()).isEqualTo(55);
    }

    @Test
    void theTierWithTheLeastCounts() {
        open(reserving("user", tier(100, MINUTE), tier(120, HOUR)), reserving("team", tier(500, MINUTE)));
        Ticket stream = reserve(10);

        Charge first = stream.charge(10);
        assertThat(first.remaining()).isEqualTo(90);
        assertThat(Objects.requireNonNull(first.endpoint()).id()).isEqualTo("user");
        assertThat(Objects.requireNonNull(first.tier()).name())
                .isEqualTo(tier(100, MINUTE).name());

        clock.advance(MINUTE);
        Charge inNextMinute = stream.charge(10);
        assertThat(inNextMinute.remaining()).isEqualTo(90);
        Charge last = stream.charge(90);
        assertThat(last.nothingRemains()).isTrue();
        clock.advance(MINUTE);
        Charge ofHour = stream.charge(5);
        assertThat(ofHour.remaining()).isEqualTo(5);
        assertThat(Objects.requireNonNull(ofHour.tier()).name())
                .isEqualTo(tier(120, HOUR).name());
    }

    /** An answer that adds a reservation of a window that is over would let a stream go on too long. */
    @Test
    void aReservationCoversNothingInALaterWindow() {
        open(reserving("tokens", tier(100, MINUTE)));
        Ticket stream = reserve(80);
        clock.advance(MINUTE);

        assertThat(stream.charge(30).remaining()).isEqualTo(70);
    }

    @Test
    void anEndpointInDryRunStopsNoStream() {
        open(reserving("tokens", tier(100, HOUR)), dryRunOf(reserving("tried", tier(10, MINUTE))));
        Ticket stream = reserve(5);

        Charge charge = stream.charge(50);

        assertThat(charge.remaining()).isEqualTo(50);
        open(dryRunOf(reserving("tried", tier(10, MINUTE))));
        assertThat(reserve(5).charge(50)).isEqualTo(Charge.UNLIMITED);
    }

    private static Endpoint dryRunOf(Endpoint endpoint) {
        return counting(dryRun(endpoint), Set.of(), estimated());
    }

    @Test
    void toleranceCounts() {
        open(reserving("tokens", new Tier("t", new Limit.FixedWindow(100, HOUR), new Overage.Soft(0.1), Sync.DEFAULT)));
        assertThat(reserve(20).charge(100).remaining()).isEqualTo(10);
    }

    @Test
    void chargesWithoutAReservationAreAnsweredToo() {
        open(counting(endpoint("buy", "/a", tier(100, HOUR)), Set.of(), Cost.CHARGED));
        Ticket purchase = Objects.requireNonNull(call(0).ticket());

        assertThat(purchase.charge(70).remaining()).isEqualTo(30);
        assertThat(purchase.charge(70).nothingRemains()).isTrue();
    }

    @Test
    void aSettledCallIsNotCharged() {
        Ticket stream = reserve(10);
        stream.settle(10);

        assertThat(stream.charge(5)).isEqualTo(Charge.NOT_COUNTED);
        assertThat(Charge.NOT_COUNTED.nothingRemains()).isFalse();
    }

    @Test
    void severalAnswersAreThatOfTheLeast() {
        Charge ten = new Charge(true, 10, 3, null, null);
        Charge two = new Charge(true, 2, 0, null, null);

        assertThat(ten.and(two)).isEqualTo(two);
        assertThat(two.and(ten)).isEqualTo(two);
        assertThat(Charge.NOT_COUNTED.and(ten)).isEqualTo(ten);
        assertThat(ten.and(Charge.NOT_COUNTED)).isEqualTo(ten);
        assertThat(Charge.NOT_COUNTED.and(Charge.UNLIMITED)).isEqualTo(Charge.UNLIMITED);
        assertThat(Charge.NOT_COUNTED.and(Charge.NOT_COUNTED)).isEqualTo(Charge.NOT_COUNTED);
    }
}
