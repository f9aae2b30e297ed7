package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Instances on whose calls the application charges costs afterwards: a charge on one ends the calls of all. */
class ChargedFleetTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long THRESHOLD = 1_000;
    private static final Call CALL = TestCall.get("/a").of("acme");

    private static final Call OTHER_CALL = TestCall.get("/a").of("other");

    /** Three round trips of the link: the one in flight, the charge, and the permits that are recalled. */
    private static final long SOON_MILLIS = 5;

    /** Where calls are decided in the store, it is told within 50 ms. */
    private static final long STRICT_MILLIS = 50 + SOON_MILLIS;

    static Stream<Limit> limits() {
        return Stream.of(
                new Limit.FixedWindow(THRESHOLD, HOUR),
                new Limit.SlidingWindow(THRESHOLD, HOUR, 1),
                new Limit.SlidingLog(THRESHOLD, HOUR),
                new Limit.TokenBucket(THRESHOLD, HOUR, THRESHOLD));
    }

    static Stream<Sync> syncs() {
        Duration second = Duration.ofSeconds(1);
        return Stream.of(Sync.DEFAULT, new Sync(second, 0, false), new Sync(second, 0, true));
    }

    private static Stream<Tier> tiers() {
        return limits().flatMap(limit -> syncs().map(sync -> new Tier("tier", limit, sync)));
    }

    private static SimulatedFleet fleet(int size, Tier tier) {
        Limits limits = TestLimits.of(counting(endpoint("e", "/a", tier), Set.of(), Cost.CHARGED));
        return new SimulatedFleet(size, limits, true);
    }

    /** What one instance has admitted, and when the last of it. */
    private static final class Calls {
        private final SimulatedFleet fleet;
        private final SimulatedInstance instance;
        private long admitted;
        private long refused;
        private long waited;
        private long lastMillis;

        private Calls(SimulatedFleet fleet, int instance) {
            this.fleet = fleet;
            this.instance = fleet.instances.get(instance);
        }

        /** A call each millisecond, from this moment on. */
        private void each(long millis) {
            for (long at = 0; at < millis; at++) {
                fleet.loop.in(at * SimulatedFleet.MILLI, this::call);
            }
        }

        private void call() {
            decide();
        }

        /** A call that is charged so much. */
        private void charge(long amount) {
            Decision decision = decide();
            if (decision.admitted()) {
                requireNonNull(decision.ticket()).charge(amount);
            }
        }

        private Decision decide() {
            long before = fleet.loop.nanos();
            Decision decision = instance.decide(CALL);
            waited += fleet.loop.nanos() > before ? 1 : 0;
            if (decision.admitted()) {
                admitted++;
                lastMillis = fleet.elapsedMillis();
            } else {
                refused++;
            }
            return decision;
        }
    }

    private static void charge(SimulatedFleet fleet, int instance, long amount) {
        fleet.loop.in(0, () -> {
            Decision decision = fleet.instances.get(instance).decide(CALL);
            assertThat(decision.admitted()).isTrue();
            requireNonNull(decision.ticket()).charge(amount);
        });
    }

    /**
     * Makes calls of another caller, so that the background of this instance is awake and reads requests at intervals.
     */
    private static void keepBusy(SimulatedFleet fleet, int instance, long millis) {
        for (long at = 0; at < millis; at += 10) {
            fleet.loop.in(
                    at * SimulatedFleet.MILLI,
                    () -> fleet.instances.get(instance).decide(OTHER_CALL));
        }
    }

    @ParameterizedTest
    @MethodSource("tiers")
    void aChargeThatUsesUpTheLimitEndsTheCallsOfAllInstances(Tier tier) {
        try (SimulatedFleet fleet = fleet(3, tier)) {
            Calls second = new Calls(fleet, 1);
            Calls third = new Calls(fleet, 2);
            second.each(1_000);
            third.each(1_000);
            keepBusy(fleet, 0, 1_000);
            fleet.pass(300);
            assertThat(second.admitted).isPositive();
            long chargedMillis = fleet.elapsedMillis();

            charge(fleet, 0, THRESHOLD + 10);
            fleet.pass(700);

            assertThat(second.lastMillis).isLessThan(chargedMillis + SOON_MILLIS);
            assertThat(third.lastMillis).isLessThan(chargedMillis + SOON_MILLIS);
        }
    }

    /** Where all that is left is held by others, so that nothing is left to be used up by the charge. */
    @ParameterizedTest
    @MethodSource("tiersOfWindows")
    void aChargeThatNeedsWhatOthersHoldEndsTheirCalls(Tier tier) {
        try (SimulatedFleet fleet = fleet(3, tier)) {
            List<Ticket> tickets = new ArrayList<>();
            IntStream.of(0, 0, 1, 2).forEach(instance -> fleet.loop.in(0, () -> tickets.add(admit(fleet, instance))));
            fleet.pass(100);
            fleet.loop.in(0, () -> tickets.get(0).charge(THRESHOLD - 2));
            fleet.pass(100);

            fleet.loop.in(0, () -> tickets.get(1).charge(2));
            fleet.pass(tier.sync().strict() ? STRICT_MILLIS : SOON_MILLIS);

            List<Decision> others = new ArrayList<>();
            IntStream.of(1, 2)
                    .forEach(instance -> fleet.loop.in(
                            0, () -> others.add(fleet.instances.get(instance).decide(CALL))));
            fleet.pass(100);
            assertThat(others).hasSize(2).noneMatch(Decision::admitted);
        }
    }

    private static Stream<Tier> tiersOfWindows() {
        return windows().flatMap(limit -> syncs().map(sync -> new Tier("tier", limit, sync)));
    }

    private static Ticket admit(SimulatedFleet fleet, int instance) {
        Decision decision = fleet.instances.get(instance).decide(CALL);
        assertThat(decision.admitted()).isTrue();
        return requireNonNull(decision.ticket());
    }

    /** Its first calls may be admitted by slack, before the store answers, which is soon. */
    @ParameterizedTest
    @MethodSource("tiers")
    void anInstanceThatIsCalledAfterTheChargeRefuses(Tier tier) {
        try (SimulatedFleet fleet = fleet(2, tier)) {
            charge(fleet, 0, THRESHOLD + 10);
            fleet.pass(300);
            Calls second = new Calls(fleet, 1);
            long calledMillis = fleet.elapsedMillis();

            second.each(1_000);
            fleet.pass(1_000);

            assertThat(second.lastMillis).isLessThan(calledMillis + SOON_MILLIS);
        }
    }

    @Test
    void manySmallChargesHardlyExceedTheLimit() {
        Tier tier = new Tier("tier", new Limit.FixedWindow(THRESHOLD, HOUR), Sync.DEFAULT);
        try (SimulatedFleet fleet = fleet(3, tier)) {
            long[] charged = {0};
            for (int at = 0; at < 3_000; at++) {
                SimulatedInstance instance = fleet.instances.get(at % 3);
                fleet.loop.in(at * SimulatedFleet.MILLI, () -> {
                    Decision decision = instance.decide(CALL);
                    if (decision.admitted()) {
                        requireNonNull(decision.ticket()).charge(2);
                        charged[0] += 2;
                    }
                });
            }
            fleet.pass(3_100);

            assertThat(charged[0]).isBetween(THRESHOLD, THRESHOLD + THRESHOLD / 20);
        }
    }

    static Stream<Limit> windowsAndBuckets() {
        return limits().filter(limit -> !(limit instanceof Limit.SlidingLog)); // a log is strict
    }

    static Stream<Limit> windows() {
        return windowsAndBuckets()
                .filter(limit -> !(limit instanceof Limit.TokenBucket)); // a token that comes passes any
    }

    /** One permit is kept where calls pass, though they take none: hardly a call waits, and few exchanges are made. */
    @ParameterizedTest
    @MethodSource("windowsAndBuckets")
    void hardlyACallWaitsWhereChargesAreRareOrSmall(Limit limit) {
        try (SimulatedFleet fleet = fleet(3, new Tier("tier", limit, Sync.DEFAULT))) {
            List<Calls> instances =
                    IntStream.range(0, 3).mapToObj(i -> new Calls(fleet, i)).toList();
            long calls = 600;
            for (int at = 0; at < calls; at++) {
                Calls instance = instances.get(at % 3);
                long amount = at % 10 == 0 ? 1 : 0;
                fleet.loop.in(at * 100L * SimulatedFleet.MILLI, () -> instance.charge(amount));
            }
            fleet.pass(calls * 100);

            assertThat(instances).allSatisfy(instance -> {
                assertThat(instance.refused).isZero();
                assertThat(instance.waited).isLessThan(instance.admitted / 20);
            });
            assertThat(fleet.traffic.sums().exchanges()).isLessThan(3 * 2 * calls / 10);
        }
    }

    /** The store is asked as seldom if less than nothing is left as if nothing is left. */
    @ParameterizedTest
    @MethodSource("windows")
    void aLimitExceededByChargesIsPolledAsRarelyAsAUsedUpOne(Limit limit) {
        assertThat(exchangesOfSpent(limit, THRESHOLD + 500))
                .isLessThanOrEqualTo(exchangesOfSpent(limit, THRESHOLD) + 6);
    }

    private static long exchangesOfSpent(Limit limit, long charged) {
        try (SimulatedFleet fleet = fleet(2, new Tier("tier", limit, Sync.DEFAULT))) {
            charge(fleet, 0, charged);
            fleet.pass(2_000);
            long before = fleet.traffic.sums().exchanges();
            Calls first = new Calls(fleet, 0);
            Calls second = new Calls(fleet, 1);
            first.each(60_000);
            second.each(60_000);
            fleet.pass(60_000);
            assertThat(first.refused + second.refused).isGreaterThan(110_000);
            return fleet.traffic.sums().exchanges() - before;
        }
    }
}
