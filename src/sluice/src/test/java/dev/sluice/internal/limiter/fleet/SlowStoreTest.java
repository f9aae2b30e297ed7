package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store that always answers, but slowly: a call that arrives while a batch is in flight has to wait for two answers,
 * which takes longer than {@code sync.timeout}. But the store is not unresponsive for so long.
 */
class SlowStoreTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long ROUND_TRIP = 34;
    private static final long TIMEOUT = 50;
    /** What a call may wait beyond the timeout, since its thread and the background have to notice. */
    private static final long LATE = 12;

    private final List<Decision> decisions = new ArrayList<>();
    private long longestWait;

    private static SimulatedFleet fleet(int size, Limit limit, OnFailure onFailure) {
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofSeconds(1), 0, false));
        Limits limits = TestLimits.sharing(
                new SharingOptions(onFailure, Duration.ofMillis(TIMEOUT)), TestLimits.of(endpoint("e", "/a", tier)));
        SimulatedFleet fleet = new SimulatedFleet(size, limits, true);
        fleet.roundTripNanos = () -> ROUND_TRIP * SimulatedFleet.MILLI;
        return fleet;
    }

    private void call(SimulatedFleet fleet, int instance, long atMillis, String tenant) {
        fleet.loop.in(atMillis * SimulatedFleet.MILLI, () -> {
            long before = fleet.millis();
            Decision decision =
                    fleet.instances.get(instance).decide(TestCall.get("/a").of(tenant));
            longestWait = Math.max(longestWait, fleet.millis() - before);
            if (tenant.equals("acme")) {
                decisions.add(decision);
            }
        });
    }

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit.FixedWindow(5, HOUR),
                new Limit.SlidingWindow(5, HOUR, 4),
                new Limit.SlidingLog(5, HOUR),
                new Limit.TokenBucket(5, HOUR, 5));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aCallWaitsForTwoAnswersIfNeedBe(Limit limit) {
        try (SimulatedFleet fleet = fleet(1, limit, OnFailure.LOCAL)) {
            for (int i = 0; i < 7; i++) {
                call(fleet, 0, 3_000 + i * 2_000, "other" + i); // a batch is in flight
                call(fleet, 0, 3_003 + i * 2_000, "acme");
            }
            fleet.pass(30_000);
            assertThat(decisions.stream().map(Decision::admitted))
                    .containsExactly(true, true, true, true, true, false, false);
            assertThat(longestWait).isBetween(ROUND_TRIP, 2 * ROUND_TRIP);
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void itCountsForAll(Limit limit) {
        try (SimulatedFleet fleet = fleet(2, limit, OnFailure.LOCAL)) {
            for (int i = 0; i < 20; i++) {
                call(fleet, i % 2, 3_000 + i * 1_000, "other" + i);
                call(fleet, i % 2, 3_003 + i * 1_000, "acme");
            }
            fleet.pass(40_000);
            assertThat(decisions.stream().filter(Decision::admitted)).hasSize(5);
        }
    }

    /** Until the store is known to be slow, it is unavailable after {@code sync.timeout}. */
    @ParameterizedTest
    @EnumSource(
            value = OnFailure.class,
            names = {"ALLOW", "DENY"})
    void aStoreThatIsUnresponsiveForLongerIsUnavailable(OnFailure onFailure) {
        try (SimulatedFleet fleet = fleet(1, new Limit.FixedWindow(5, HOUR), onFailure)) {
            fleet.roundTripNanos = () -> 150 * SimulatedFleet.MILLI;
            call(fleet, 0, 3_000, "other");
            call(fleet, 0, 3_003, "acme");
            fleet.pass(1_000 + 3_003);
            Decision decision = decisions.get(0);
            assertThat(decision.admitted()).isEqualTo(onFailure == OnFailure.ALLOW);
            assertThat(longestWait).isBetween(TIMEOUT, TIMEOUT + LATE);
            if (!decision.admitted()) {
                assertThat(decision.retryAfterMillis())
                        .as("nothing is used up, so it may come again at once")
                        .isBetween(1L, 1_000L);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aStoreThatIsKnownToBeSlowIsNotUnavailable(Limit limit) {
        try (SimulatedFleet fleet = fleet(2, limit, OnFailure.LOCAL)) {
            fleet.roundTripNanos = () -> 150 * SimulatedFleet.MILLI;
            for (int i = 0; i < 40; i++) {
                call(fleet, i % 2, 3_000 + i * 500, "other" + i);
            }
            for (int i = 0; i < 20; i++) {
                call(fleet, i % 2, 25_000 + i * 1_000, "other" + (40 + i));
                call(fleet, i % 2, 25_003 + i * 1_000, "acme");
            }
            fleet.pass(60_000);
            assertThat(decisions.stream().filter(Decision::admitted)).hasSize(5);
        }
    }
}
