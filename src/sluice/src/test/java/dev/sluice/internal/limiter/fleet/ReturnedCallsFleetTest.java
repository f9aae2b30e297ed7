package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of an endpoint that counts failures only, {@code count: { status: [ 401 ] }}: a call that succeeds returns what
 * it took, however long it was in flight, and changes nothing else.
 */
class ReturnedCallsFleetTest {

    private static final int FAILS = 401;
    private static final int SUCCEEDS = 200;

    private final List<Integer> refusedAt = new ArrayList<>();
    private final List<Long> retryMillis = new ArrayList<>();
    private int admittedFailures;

    private static SimulatedFleet fleet(int size, Limit... ofTiers) {
        Tier[] tiers = new Tier[ofTiers.length];
        for (int i = 0; i < tiers.length; i++) {
            tiers[i] = new Tier("tier" + i, ofTiers[i], Sync.DEFAULT);
        }
        return new SimulatedFleet(size, TestLimits.of(failuresOf(tiers)), true);
    }

    private static Endpoint failuresOf(Tier... tiers) {
        return counting(endpoint("e", "/a", tiers), Set.of(FAILS), Cost.ONE);
    }

    private void call(SimulatedFleet fleet, int instance, int atMillis, int lastsMillis, int status) {
        fleet.loop.in(atMillis * SimulatedFleet.MILLI, () -> {
            Decision decision =
                    fleet.instances.get(instance).decide(TestCall.get("/a").of("acme"));
            if (!decision.admitted()) {
                refusedAt.add(atMillis);
                retryMillis.add(decision.retryAfterMillis());
                return;
            }
            admittedFailures += status == FAILS ? 1 : 0;
            fleet.loop.in(
                    lastsMillis * SimulatedFleet.MILLI, () -> decision.ticket().ended(status));
        });
    }

    /** The call in flight elsewhere takes the last permit, and gives it back. Failures keep theirs until the end. */
    @Test
    void aCallRefusedBecauseOfAnotherInstanceMayRetrySoon() {
        try (SimulatedFleet fleet = fleet(2, new Limit.FixedWindow(2, Duration.ofDays(366)))) {
            call(fleet, 0, 1_000, 5, FAILS);
            call(fleet, 0, 2_000, 500, SUCCEEDS);
            call(fleet, 1, 2_100, 5, SUCCEEDS); // all is taken
            call(fleet, 1, 3_100, 5, FAILS);
            call(fleet, 1, 9_000, 5, FAILS);
            fleet.pass(12_000);
            assertThat(refusedAt).containsExactly(2_100, 9_000);
            assertThat(retryMillis.get(0)).isLessThanOrEqualTo(1_000);
            assertThat(retryMillis.get(1)).isGreaterThan(1_000_000);
        }
    }

    /** The failures' limit may have room in a moment, but the other one has none until its window ends. */
    @Test
    void theLongerRetryTimeIsReported() {
        Tier failures = new Tier("failures", new Limit.FixedWindow(1, Duration.ofDays(366)), Sync.DEFAULT);
        Tier all = new Tier("all", new Limit.FixedWindow(1, Duration.ofSeconds(10)), Sync.DEFAULT);
        Limits limits = TestLimits.of(failuresOf(failures), endpoint("n", "/a", all));
        try (SimulatedFleet fleet = new SimulatedFleet(2, limits, true)) {
            call(fleet, 0, 2_000, 500, SUCCEEDS);
            call(fleet, 1, 2_100, 5, SUCCEEDS);
            fleet.pass(3_000);
            assertThat(refusedAt).containsExactly(2_100);
            assertThat(retryMillis.get(0)).isBetween(7_800L, 7_900L);
        }
    }

    /** Each call lasts longer than a frame. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void callsThatOutliveTheirFrameReturnWhatTheyTook(int size) {
        try (SimulatedFleet fleet = fleet(size, new Limit.SlidingWindow(5, Duration.ofSeconds(60), 60))) {
            for (int i = 0; i < 30; i++) {
                call(fleet, i % size, 2_000 + i * 1_300, 1_200, SUCCEEDS);
            }
            fleet.pass(60_000);
            assertThat(refusedAt).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theOtherInstanceMayUseWhatCallsOfTheFrameBeforeReturn(int size) {
        try (SimulatedFleet fleet = fleet(size, new Limit.SlidingWindow(5, Duration.ofSeconds(10), 1))) {
            for (int i = 0; i < 5; i++) {
                call(fleet, 0, 9_990, 1_000, SUCCEEDS);
            }
            call(fleet, size - 1, 10_500, 5, FAILS); // all is taken
            for (int i = 0; i < 5; i++) {
                call(fleet, size - 1, 11_050 + i, 5, FAILS);
            }
            fleet.pass(15_000);
            assertThat(refusedAt).containsExactly(10_500);
        }
    }

    /** The bucket fills while the first six are in flight. They must not fill it once more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void slowCallsDoNotFillABucketTwice(int size) {
        try (SimulatedFleet fleet = fleet(size, new Limit.TokenBucket(4, Duration.ofSeconds(4), 6))) {
            for (int i = 0; i < 6; i++) {
                call(fleet, i % size, 2_000 + i, 5_300, SUCCEEDS);
            }
            for (int i = 0; i < 8; i++) {
                call(fleet, i % size, 7_200 + i * 5, 3, FAILS);
                call(fleet, i % size, 7_400 + i * 5, 3, FAILS);
            }
            fleet.pass(12_000);
            assertThat(admittedFailures).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void quickCallsGiveABucketBackInFull(int size) {
        try (SimulatedFleet fleet = fleet(size, new Limit.TokenBucket(1, Duration.ofHours(1), 6))) {
            for (int i = 0; i < 6; i++) {
                call(fleet, i % size, 2_000 + i, 200, SUCCEEDS);
            }
            for (int i = 0; i < 6; i++) {
                call(fleet, i % size, 2_300 + i * 5, 3, FAILS);
            }
            fleet.pass(12_000);
            assertThat(refusedAt).isEmpty();
        }
    }

    /** With two limits, the store has granted it, and was not told yet that it was used. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void refundsHelpTheRefundingInstance(int size) {
        try (SimulatedFleet fleet = fleet(
                size,
                new Limit.TokenBucket(1, Duration.ofHours(1), 6),
                new Limit.FixedWindow(1_000, Duration.ofDays(366)))) {
            for (int i = 0; i < 8; i++) {
                call(fleet, 0, 2_000, 50, SUCCEEDS); // the last two find that it is used up
            }
            for (int i = 0; i < 6; i++) {
                call(fleet, 0, 2_060 + i, 5, FAILS); // the store hears of them only now
            }
            fleet.pass(5_000);
            assertThat(refusedAt).containsExactly(2_000, 2_000);
        }
    }

    /** The failures at 4.9 and 5.1 s fill the log until 14.9 s; the slow call before them frees nothing of theirs. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aSlowCallFreesItsOwnPermitOfALog(int size) {
        int last = size - 1;
        try (SimulatedFleet fleet = fleet(size, new Limit.SlidingLog(2, Duration.ofSeconds(10)))) {
            call(fleet, 0, 2_000, 3_000, SUCCEEDS);
            call(fleet, last, 4_900, 5, FAILS);
            call(fleet, last, 5_100, 5, FAILS);
            call(fleet, 0, 12_050, 5, FAILS);
            call(fleet, last, 12_100, 5, FAILS);
            call(fleet, last, 14_950, 5, FAILS);
            call(fleet, 0, 15_200, 5, FAILS);
            fleet.pass(20_000);
            assertThat(refusedAt).containsExactly(12_050, 12_100);
        }
    }
}
