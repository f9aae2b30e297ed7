package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.sliding;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.limits.Explanation;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Three instances in virtual time, to whose caller an operator gives calls. */
class GivenCallsFleetTest {

    private static final int THRESHOLD = 100;
    /** Without slack, and with so long an interval that only news can be in time. */
    private static final Sync SELDOM = new Sync(Duration.ofSeconds(5), 0, false);

    static List<Limit> windows() {
        return List.of(window(THRESHOLD, "P1D"), sliding(THRESHOLD, "P1D", 4));
    }

    /** A fleet with one limit, and what its calls were answered. */
    private static final class Game implements AutoCloseable {
        private final SimulatedFleet fleet;
        private final List<Decision> decisions = new ArrayList<>();

        Game(Limit... limits) {
            fleet = new SimulatedFleet(3, FleetSimulation.limits(List.of(List.of(limits)), SELDOM), true);
            fleet.pass(500);
        }

        void call(int index, int times) {
            call(index, times, 1);
        }

        void call(int index, int times, long cost) {
            SimulatedInstance instance = fleet.instances.get(index);
            for (int call = 0; call < times; call++) {
                fleet.loop.in(
                        call * SimulatedFleet.MILLI,
                        () -> decisions.add(instance.decide(FleetSimulation.call("caller", cost))));
            }
            fleet.pass(times + 50);
        }

        Decision last() {
            return decisions.get(decisions.size() - 1);
        }

        long admitted() {
            return decisions.stream().filter(Decision::admitted).count();
        }

        void give(long calls) {
            Explanation found = fleet.instances
                    .get(0)
                    .limiter
                    .explain(FleetSimulation.call("caller", 1))
                    .get(0);
            Statement gift = new Statement(
                    found.key(),
                    List.of(),
                    0,
                    Need.NONE,
                    0,
                    1_000,
                    SharedLimits.of(
                                    found.tier(),
                                    found.key().start(),
                                    found.key().end())
                            .rule(),
                    false,
                    new Gift(calls, 0));
            Batch batch = new Batch("operator-" + calls, 1, List.of(gift));
            fleet.store.exchange(batch).toCompletableFuture().join();
        }

        @Override
        public void close() {
            fleet.close();
        }
    }

    /** Also those that hold permits, and need not ask before they answer. */
    @ParameterizedTest
    @MethodSource("windows")
    void allInstancesShowTheHigherLimitWithinASecond(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(0, 20);
            game.call(1, 5);
            assertThat(game.last().limit()).isEqualTo(THRESHOLD);
            game.give(50);
            game.fleet.pass(1_000);
            for (int index = 0; index < 3; index++) {
                game.call(index, 1);
                assertThat(game.last().limit()).as("instance %d", index).isEqualTo(THRESHOLD + 50);
                assertThat(game.last().remaining()).isBetween(150L - 28, 150L - 20);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("windows")
    void allInstancesShowItOnceTheLimitWasUsedUp(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(0, 60);
            game.call(1, 60);
            assertThat(game.admitted()).isEqualTo(THRESHOLD);
            game.give(5);
            game.fleet.pass(1_000);
            for (int round = 0; round < 3; round++) {
                game.call(round, 3);
                assertThat(game.last().limit()).isEqualTo(THRESHOLD + 5);
            }
            assertThat(game.admitted()).isEqualTo(THRESHOLD + 5);
            assertThat(game.last().remaining()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("windows")
    void moreIsGivenThanWasUsed(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(0, 2);
            game.give(1_000);
            for (int round = 0; round < 3; round++) {
                game.call(round, 500);
            }
            assertThat(game.admitted()).isEqualTo(THRESHOLD + 1_000);
        }
    }

    @Test
    void theNextWindowIsAsEver() {
        try (Game game = new Game(window(THRESHOLD, "PT10S"))) {
            game.call(0, 2);
            game.give(1_000);
            game.fleet.pass(500);
            game.call(0, 1);
            assertThat(game.last().limit()).isEqualTo(THRESHOLD + 1_000);
            game.fleet.pass(10_000);
            game.call(0, 1);
            assertThat(game.last().limit()).isEqualTo(THRESHOLD);
        }
    }

    /** Instances that have not heard of the gift ask. */
    @ParameterizedTest
    @MethodSource("windows")
    void aCallThatCostsMoreThanTheLimitPassesOnAnInstanceThatHasNotHeard(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(0, 20);
            game.give(50);
            game.fleet.pass(1_000);
            game.call(2, 1, THRESHOLD + 10);
            assertThat(game.last().admitted()).isTrue();
            assertThat(game.last().limit()).isEqualTo(THRESHOLD + 50);
            game.call(1, 1, THRESHOLD + 51);
            assertThat(game.last().neverPasses()).isTrue();
        }
    }

    /** No instance asks again and again: only once, about a counter that it knows nothing of or that was dormant. */
    @ParameterizedTest
    @MethodSource("windows")
    void callsThatCostMoreThanTheLimitCostTheStoreNothing(Limit limit) {
        try (Game game = new Game(limit)) {
            for (int seconds : List.of(0, 1, 100)) {
                game.fleet.pass(1_000L * seconds);
                long before = game.fleet.traffic.sums().statements();
                game.call(0, 200, THRESHOLD + 1);
                assertThat(game.last().neverPasses()).isTrue();
                assertThat(game.fleet.traffic.sums().statements() - before)
                        .as("after %d s", seconds)
                        .isLessThanOrEqualTo(seconds == 1 ? 0 : 1);
            }
        }
    }

    /** An instance that starts later knows what was given once it has asked. */
    @ParameterizedTest
    @MethodSource("windows")
    void anInstanceThatStartsLaterShowsIt(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(0, THRESHOLD);
            game.give(2);
            game.fleet.add();
            game.fleet.pass(500);
            game.call(3, 1);
            assertThat(game.last().limit()).isEqualTo(THRESHOLD + 2);
            assertThat(game.last().admitted()).isTrue();
            game.fleet.add();
            game.fleet.pass(500);
            game.call(0, 1);
            game.call(4, 1);
            assertThat(game.last().admitted()).isFalse();
            assertThat(game.last().limit()).isEqualTo(THRESHOLD + 2);
        }
    }

    /** A counter that has had no calls for long is opened again. */
    @ParameterizedTest
    @MethodSource("windows")
    void aDormantCounterShowsItAgain(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(1, 30);
            game.fleet.pass(120_000);
            game.give(50);
            game.fleet.pass(120_000);
            game.call(1, 1);
            assertThat(game.last().limit()).isEqualTo(THRESHOLD + 50);
            assertThat(game.last().remaining()).isEqualTo(THRESHOLD + 50 - 31);
            game.fleet.pass(120_000);
            game.call(1, 1);
            assertThat(game.last().limit()).isEqualTo(THRESHOLD + 50);
        }
    }

    /** Of several tiers, headers show the one that has the least left of what passes in all. */
    @Test
    void theTierIsShownOfWhichTheLeastIsLeftWithWhatWasGiven() {
        try (Game game = new Game(window(THRESHOLD, "P1D"), window(3 * THRESHOLD, "P2D"))) {
            game.call(0, 90);
            game.give(100);
            game.fleet.pass(1_000);
            game.call(0, 1);
            assertThat(game.last().limit()).isEqualTo(2 * THRESHOLD);
        }
    }

    /** When an instance is closed, its calls go on, and count in its own memory. */
    @ParameterizedTest
    @MethodSource("windows")
    void anInstanceThatIsClosedLetsNoMorePass(Limit limit) {
        try (Game game = new Game(limit)) {
            game.call(0, 20);
            game.give(50);
            game.fleet.pass(1_000);
            game.fleet.loop.in(0, () -> game.fleet.instances.get(0).limiter.close());
            game.fleet.pass(100);
            game.call(0, 200);
            assertThat(game.admitted()).isBetween(THRESHOLD + 0L, THRESHOLD + 50L);
            assertThat(game.last().admitted()).isFalse();
        }
    }
}
