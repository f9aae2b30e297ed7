package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls that reserve an estimate on any instance, and settle less: never over the limit, and never refused while a
 * call's estimate fits beside what is spent and reserved.
 */
class ReservedFleetTest {

    private static final long THRESHOLD = 1_000;
    private static final int CALLS = 400;
    private static final long DURATION_MILLIS = 20_000;

    /** Two round trips of the link, and the permits that are recalled meanwhile. */
    private static final long HEARD_MILLIS = 60;

    /** What one call has of the limit, and when it changed. */
    private static final class Share {
        private final long estimate;
        private final long actual;
        private final long reservedMillis;
        private long settledMillis = Long.MAX_VALUE;

        private Share(long estimate, long actual, long reservedMillis) {
            this.estimate = estimate;
            this.actual = actual;
            this.reservedMillis = reservedMillis;
        }

        /** What counts of it at this time, if settlements are heard that much later. */
        private long at(long millis, long heardMillis) {
            return millis < reservedMillis ? 0 : millis - heardMillis < settledMillis ? estimate : actual;
        }
    }

    private final List<Share> shares = new ArrayList<>();
    private final List<String> early = new ArrayList<>();

    static Stream<Arguments> fleets() {
        Duration year = Duration.ofDays(365);
        return Stream.of(
                        new Limit.FixedWindow(THRESHOLD, year),
                        new Limit.SlidingWindow(THRESHOLD, year, 1),
                        new Limit.SlidingLog(THRESHOLD, year),
                        new Limit.TokenBucket(THRESHOLD, year, THRESHOLD))
                .flatMap(limit -> IntStream.of(1, 3, 20).mapToObj(size -> Arguments.of(limit, size)));
    }

    private long spent(long atMillis, long heardMillis) {
        return shares.stream()
                .mapToLong(share -> share.at(atMillis, heardMillis))
                .sum();
    }

    private void call(SimulatedFleet fleet, int instance, long estimate, long actual, long lastsMillis) {
        long begun = fleet.elapsedMillis();
        Decision decision = fleet.instances
                .get(instance)
                .decide(TestCall.get("/a").of("acme").with("Estimate", String.valueOf(estimate)));
        if (!decision.admitted()) {
            long others = Math.max(spent(begun, HEARD_MILLIS), spent(fleet.elapsedMillis(), HEARD_MILLIS));
            if (others + estimate <= THRESHOLD) {
                early.add(begun + " to " + fleet.elapsedMillis() + " ms: " + estimate + " beside " + others);
            }
            return;
        }
        Share share = new Share(estimate, actual, fleet.elapsedMillis());
        shares.add(share);
        assertThat(spent(fleet.elapsedMillis(), 0)).isLessThanOrEqualTo(THRESHOLD);
        Ticket ticket = Objects.requireNonNull(decision.ticket());
        fleet.loop.in(lastsMillis * SimulatedFleet.MILLI, () -> {
            share.settledMillis = fleet.elapsedMillis();
            assertThat(ticket.settle(actual)).isTrue();
            ticket.ended(200);
        });
    }

    @ParameterizedTest
    @MethodSource("fleets")
    void settlesExactly(Limit limit, int size) {
        Cost cost = new Cost(
                "estimate",
                call -> Long.parseLong(Objects.requireNonNull(call.header("Estimate"))),
                Cost.Settling.KEEP);
        Tier tier = new Tier("t", limit, Sync.DEFAULT);
        try (SimulatedFleet fleet =
                new SimulatedFleet(size, TestLimits.of(counting(endpoint("e", "/a", tier), Set.of(), cost)), true)) {
            Random random = new Random(7L * size);
            for (int i = 0; i < CALLS; i++) {
                long estimate = 20L + random.nextInt(60);
                long actual = random.nextInt(10) == 0 ? estimate : (long) random.nextInt(6);
                int instance = random.nextInt(size);
                long lasts = 5L + random.nextInt(800);
                fleet.loop.in(
                        random.nextInt((int) DURATION_MILLIS) * SimulatedFleet.MILLI,
                        () -> call(fleet, instance, estimate, actual, lasts));
            }
            fleet.pass(DURATION_MILLIS + 5_000);

            assertThat(early).isEmpty();
            long spent = spent(fleet.elapsedMillis(), 0);
            assertThat(spent).as("spent").isBetween(THRESHOLD - 80, THRESHOLD);
            List<Long> last = new ArrayList<>();
            fleet.loop.in(0, () -> last.add(lastCall(fleet, THRESHOLD - spent + 1)));
            fleet.loop.in(2_500 * SimulatedFleet.MILLI, () -> last.add(lastCall(fleet, THRESHOLD - spent)));
            fleet.pass(5_000);
            assertThat(last).containsExactly(-1L, 0L);
        }
    }

    static Stream<Arguments> charges() {
        return fleets().flatMap(fleet -> Stream.of(
                Arguments.of(fleet.get()[0], fleet.get()[1], 250, 0),
                Arguments.of(fleet.get()[0], fleet.get()[1], 250, 60),
                Arguments.of(fleet.get()[0], fleet.get()[1], 2 * THRESHOLD + 500, 60)));
    }

    /**
     * A stream charges more than is left, and settles less: what comes back is used once, wherever the next calls come.
     *
     * @param atOnce how many calls come at the very moment of the settlement
     */
    @ParameterizedTest
    @MethodSource("charges")
    void chargesThatComeBackAreUsedOnce(Limit limit, int size, long charge, int atOnce) {
        Cost cost = new Cost(
                "estimate",
                call -> Long.parseLong(Objects.requireNonNull(call.header("Estimate"))),
                Cost.Settling.KEEP);
        Tier tier = new Tier("t", limit, new Sync(Duration.ofSeconds(1), 0, false));
        try (SimulatedFleet fleet =
                new SimulatedFleet(size, TestLimits.of(counting(endpoint("e", "/a", tier), Set.of(), cost)), true)) {
            List<Ticket> streams = new ArrayList<>();
            fleet.loop.in(1_000 * SimulatedFleet.MILLI, () -> streams.add(ticket(fleet, 900)));
            fleet.loop.in(1_200 * SimulatedFleet.MILLI, () -> streams.add(ticket(fleet, 10)));
            fleet.loop.in(1_500 * SimulatedFleet.MILLI, () -> streams.get(1).charge(charge));
            fleet.loop.in(3_000 * SimulatedFleet.MILLI, () -> streams.get(0).settle(850));
            List<Long> passed = new ArrayList<>();
            fleet.loop.in(4_000 * SimulatedFleet.MILLI, () -> {
                streams.get(1).settle(40);
                for (int i = 0; i < atOnce; i++) {
                    if (lastCall(fleet, size - 1, 10) >= 0) {
                        passed.add(fleet.elapsedMillis());
                    }
                }
            });
            for (int i = 0; i < 3 * size + 60; i++) {
                int instance = i % size;
                fleet.loop.in((2_500 + 60L * i) * SimulatedFleet.MILLI, () -> {
                    if (lastCall(fleet, instance, 10) >= 0) {
                        passed.add(fleet.elapsedMillis());
                    }
                });
            }
            fleet.pass(30_000);
            assertThat(passed).hasSize(11).allMatch(millis -> millis >= 4_000);
        }
    }

    private static Ticket ticket(SimulatedFleet fleet, long estimate) {
        return Objects.requireNonNull(fleet.instances
                .get(fleet.instances.size() - 1)
                .decide(TestCall.get("/a").of("acme").with("Estimate", String.valueOf(estimate)))
                .ticket());
    }

    private static long lastCall(SimulatedFleet fleet, long estimate) {
        return lastCall(fleet, 0, estimate);
    }

    /** What is left after a call; -1 if it is refused. */
    private static long lastCall(SimulatedFleet fleet, int instance, long estimate) {
        Decision decision = fleet.instances
                .get(instance)
                .decide(TestCall.get("/a").of("acme").with("Estimate", String.valueOf(estimate)));
        return decision.admitted() ? decision.remaining() : -1;
    }
}
