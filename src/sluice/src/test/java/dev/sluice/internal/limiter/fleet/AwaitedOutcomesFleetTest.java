package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.awaitingOutcomes;
import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of several instances await the outcome of calls in flight, here or elsewhere. */
class AwaitedOutcomesFleetTest {

    private static final int WRONG = 401;
    private static final int RIGHT = 200;
    private static final Duration YEAR = Duration.ofDays(366);

    /** When calls were refused, and after how many milliseconds they may retry. */
    private final List<Long> refused = new ArrayList<>();

    private final List<Integer> admitted = new ArrayList<>();
    private final List<Long> waitedMillis = new ArrayList<>();
    private int inFlight;
    private int mostInFlight;

    private static SimulatedFleet fleet(int size, Limit... ofTiers) {
        Tier[] tiers = new Tier[ofTiers.length];
        for (int i = 0; i < tiers.length; i++) {
            tiers[i] = new Tier("tier" + i, ofTiers[i], Sync.DEFAULT);
        }
        Limits limits = TestLimits.of(counting(endpoint("e", "/a", tiers), Set.of(WRONG), Cost.ONE));
        return new SimulatedFleet(size, awaitingOutcomes(1_000, limits), true);
    }

    private void call(SimulatedFleet fleet, int instance, int atMillis, int lastsMillis, int status) {
        fleet.loop.in(atMillis * SimulatedFleet.MILLI, () -> {
            long began = fleet.loop.nanos();
            Decision decision =
                    fleet.instances.get(instance).decide(TestCall.get("/a").of("acme"));
            waitedMillis.add((fleet.loop.nanos() - began) / SimulatedFleet.MILLI);
            if (!decision.admitted()) {
                refused.add(decision.retryAfterMillis());
                return;
            }
            admitted.add(atMillis);
            mostInFlight = Math.max(mostInFlight, ++inFlight);
            fleet.loop.in(lastsMillis * SimulatedFleet.MILLI, () -> {
                inFlight--;
                decision.ticket().ended(status);
            });
        });
    }

    private static Limit window(long threshold) {
        return new Limit.FixedWindow(threshold, YEAR);
    }

    static Stream<Arguments> fleetsAndLimits() {
        Duration hour = Duration.ofHours(1);
        return Stream.of(1, 2, 3)
                .flatMap(size -> Stream.of(
                                window(5),
                                new Limit.SlidingWindow(5, hour, 4),
                                new Limit.SlidingLog(5, hour),
                                new Limit.TokenBucket(5, YEAR, 5))
                        .map(limit -> Arguments.of(size, limit)));
    }

    @ParameterizedTest
    @MethodSource("fleetsAndLimits")
    void fortyRightPasswordsAtOnceAllPass(int size, Limit limit) {
        try (SimulatedFleet fleet = fleet(size, limit)) {
            for (int i = 0; i < 40; i++) {
                call(fleet, i % size, 2_000, 200, RIGHT);
            }
            fleet.pass(10_000);
            assertThat(refused).isEmpty();
            assertThat(mostInFlight).isLessThanOrEqualTo(5);
            assertThat(waitedMillis).hasSize(40).allMatch(waited -> waited < 2_000);
        }
    }

    @ParameterizedTest
    @MethodSource("fleetsAndLimits")
    void fiftyWrongPasswordsAtOnceGetFiveTries(int size, Limit limit) {
        try (SimulatedFleet fleet = fleet(size, limit)) {
            for (int i = 0; i < 50; i++) {
                call(fleet, i % size, 2_000 + i / 10, 200, WRONG);
            }
            fleet.pass(10_000);
            assertThat(admitted).hasSize(5);
            assertThat(refused).hasSize(45);
        }
    }

    @ParameterizedTest
    @MethodSource("fleetsAndLimits")
    void consecutiveRightPasswordsPassAsPermitsComeBack(int size, Limit limit) {
        try (SimulatedFleet fleet = fleet(size, limit)) {
            for (int i = 0; i < 100; i++) {
                call(fleet, i % size, 2_000 + i * 45, 200, RIGHT); // nearly as many as can pass
            }
            fleet.pass(20_000);
            assertThat(refused).isEmpty();
            assertThat(mostInFlight).isLessThanOrEqualTo(5);
        }
    }

    @Test
    void aPermitReturnedElsewhereIsUsedHere() {
        try (SimulatedFleet fleet = fleet(2, window(2))) {
            call(fleet, 0, 2_000, 500, WRONG);
            call(fleet, 0, 2_000, 500, RIGHT);
            call(fleet, 1, 2_100, 5, RIGHT);
            fleet.pass(10_000);
            assertThat(refused).isEmpty();
            assertThat(waitedMillis.get(2)).isBetween(399L, 430L);
        }
    }

    @Test
    void aPendingCallIsRefusedOnceAllCount() {
        try (SimulatedFleet fleet = fleet(1, window(2))) {
            call(fleet, 0, 2_000, 500, WRONG);
            call(fleet, 0, 2_000, 700, WRONG);
            call(fleet, 0, 2_100, 5, RIGHT);
            fleet.pass(10_000);
            assertThat(refused).hasSize(1);
            assertThat(waitedMillis.get(2)).isBetween(599L, 620L);
        }
    }

    /** The other instance says that it has no more calls in flight. */
    @ParameterizedTest
    @MethodSource("fleetsAndLimits")
    void aCallOnAnotherInstanceIsRefusedAtOnceIfNoneIsInFlight(int size, Limit limit) {
        try (SimulatedFleet fleet = fleet(size, limit)) {
            for (int i = 0; i < 5; i++) {
                call(fleet, 0, 2_000 + 50 * i, 100, WRONG);
            }
            call(fleet, size - 1, 4_000, 5, RIGHT);
            call(fleet, size - 1, 5_000, 5, RIGHT);
            fleet.pass(10_000);
            assertThat(refused).hasSize(2).allMatch(retryMillis -> retryMillis > 60_000);
            assertThat(waitedMillis.subList(5, 7)).allMatch(waited -> waited < 5);
        }
    }

    /** The other instance says so a quarter of an interval later. */
    @ParameterizedTest
    @MethodSource("fleetsAndLimits")
    void aCallThatAwaitsOutcomesOnAnotherInstanceIsRefusedOnceNoneIsInFlight(int size, Limit limit) {
        try (SimulatedFleet fleet = fleet(size, limit)) {
            for (int i = 0; i < 5; i++) {
                call(fleet, 0, 2_000, 500, WRONG);
            }
            call(fleet, size - 1, 2_200, 5, RIGHT);
            fleet.pass(10_000);
            assertThat(refused).hasSize(1).allMatch(retryMillis -> retryMillis > 60_000);
            assertThat(waitedMillis.get(5)).isBetween(299L, 560L);
        }
    }

    /** They have no call in flight, but would have if they got what they ask for. */
    @ParameterizedTest
    @MethodSource("fleetsAndLimits")
    void noCallWaitsForInstancesThatAskInVain(int size, Limit limit) {
        try (SimulatedFleet fleet = fleet(size + 10, limit)) {
            for (int i = 0; i < 5; i++) {
                call(fleet, 0, 2_000, 5, WRONG);
            }
            for (int i = 1; i < size + 10; i++) {
                call(fleet, i, 4_000 + 50 * i, 5, RIGHT);
            }
            fleet.pass(10_000);
            assertThat(refused).hasSize(size + 9).allMatch(retryMillis -> retryMillis > 60_000);
            assertThat(waitedMillis.subList(5, waitedMillis.size())).allMatch(waited -> waited < 5);
        }
    }

    @Test
    void whileOneIsInFlightACallOnAnotherInstanceAwaitsItsOutcomeForTwoSecondsAtMost() {
        try (SimulatedFleet fleet = fleet(2, window(2))) {
            call(fleet, 0, 2_000, 10, WRONG);
            call(fleet, 0, 2_000, 9_000, RIGHT);
            call(fleet, 1, 5_000, 5, RIGHT);
            call(fleet, 1, 8_000, 5, RIGHT);
            fleet.pass(12_000);
            assertThat(refused).hasSize(2);
            assertThat(waitedMillis.get(2)).isBetween(1_990L, 2_100L);
            assertThat(waitedMillis.get(3)).isLessThan(5);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aWaitEndsAfterTwoSeconds(int size) {
        try (SimulatedFleet fleet = fleet(size, window(1))) {
            call(fleet, 0, 2_000, 9_000, RIGHT);
            call(fleet, size - 1, 2_500, 5, RIGHT);
            fleet.pass(20_000);
            assertThat(refused).hasSize(1);
            assertThat(refused.get(0)).isLessThanOrEqualTo(size == 1 ? 1_000 : Long.MAX_VALUE);
            assertThat(waitedMillis.get(1)).isBetween(1_990L, 2_100L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void ofTwoTiersAllOrNoneAreTaken(int size) {
        try (SimulatedFleet fleet = fleet(size, window(3), new Limit.SlidingLog(5, Duration.ofHours(1)))) {
            for (int i = 0; i < 20; i++) {
                call(fleet, i % size, 2_000 + i, 100, RIGHT);
            }
            call(fleet, 0, 6_000, 5, WRONG);
            call(fleet, size - 1, 6_100, 5, WRONG);
            call(fleet, 0, 6_200, 5, WRONG);
            call(fleet, size - 1, 7_000, 5, WRONG);
            fleet.pass(12_000);
            assertThat(refused).hasSize(1);
            assertThat(mostInFlight).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void waitingCallsAreNotOvertaken() {
        try (SimulatedFleet fleet = fleet(1, window(2))) {
            call(fleet, 0, 2_000, 500, RIGHT);
            call(fleet, 0, 2_000, 700, RIGHT);
            call(fleet, 0, 2_100, 300, RIGHT);
            call(fleet, 0, 2_200, 5, RIGHT);
            call(fleet, 0, 2_500, 5, RIGHT);
            fleet.pass(10_000);
            assertThat(admitted).containsExactly(2_000, 2_000, 2_100, 2_200, 2_500);
        }
    }
}
