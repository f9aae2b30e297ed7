package dev.sluice.internal.limiter.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestLimits;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetObserver;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.Mishap;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.mongo.document.DocumentsInVirtualTime;
import dev.sluice.internal.store.redis.script.ScriptInVirtualTime;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No limit of windows is passed without slack, whichever instances die, stand still for long, or are cut off while
 * {@code onFailure} is {@code deny}, and however the store's clock steps. What a dead instance held is lost until the
 * window ends; otherwise no permit is. Calls count in the window of their permit. The system property
 * {@code sluice.seeds} says how many games are played.
 */
@Tag("store")
class NeverOverTest {

    private static final int SEEDS = Integer.getInteger("sluice.seeds", 12);

    private static RedisServer redis;
    private static ScriptInVirtualTime.Connection connection;

    /** The stores of the product, by a clock of the test's. */
    enum Store {
        MEMORY,
        REDIS,
        DOCUMENTS_OF_MONGO;

        private CounterStore open(LongSupplier millis) {
            return switch (this) {
                case MEMORY -> new InMemoryCounterStore(() -> Instant.ofEpochMilli(millis.getAsLong()), 1_000);
                case REDIS -> new ScriptInVirtualTime(connection, millis);
                case DOCUMENTS_OF_MONGO -> new DocumentsInVirtualTime(millis);
            };
        }
    }

    /** What happens to a fleet. */
    enum Scene {
        KILLED,
        FROZEN,
        CUT_OFF,
        STORE_CLOCK_STEPS
    }

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
        connection = new ScriptInVirtualTime.Connection(redis);
    }

    @AfterAll
    static void stop() {
        connection.close();
        redis.close();
    }

    /** Every algorithm, with costs and several tiers; in memory, {@link RandomFleetTest} plays more of them. */
    @ParameterizedTest
    @CsvSource({
        "REDIS, TROUBLE", "REDIS, FREEZES", "REDIS, LONG_CUTS",
        "DOCUMENTS_OF_MONGO, TROUBLE", "DOCUMENTS_OF_MONGO, FREEZES", "DOCUMENTS_OF_MONGO, LONG_CUTS"
    })
    void inRandomGames(Store store, Mishap mishap) {
        List<String> complaints = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            for (String complaint : RandomFleet.play(seed, mishap, loop -> store.open(loop::millis))) {
                complaints.add("seed " + seed + ": " + complaint);
            }
        }
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void whileInstancesAreKilled(Store store) {
        play(store, Scene.KILLED);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void whileInstancesStandStill(Store store) {
        play(store, Scene.FROZEN);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void whileInstancesAreCutOff(Store store) {
        play(store, Scene.CUT_OFF);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void whileTheClockOfTheStoreSteps(Store store) {
        play(store, Scene.STORE_CLOCK_STEPS);
    }

    /** Calls go on meanwhile: those that find a permit in hand pass, and count afterwards. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aCutOfTenMinutesIsExactAfterwards(Store store) {
        long threshold = 300;
        SharingOptions denies = new SharingOptions(SharingOptions.OnFailure.DENY, SharingOptions.DEFAULT.timeout());
        Limits limits = TestLimits.sharing(
                denies,
                FleetSimulation.limits(
                        List.of(List.of(CallPattern.window(threshold, "PT1H"))),
                        new Sync(Duration.ofSeconds(1), 0, false)));
        int[] passed = new int[3]; // before the cut, during it, and afterwards
        try (SimulatedFleet fleet =
                new SimulatedFleet(3, limits, true, loop -> store.open(loop::millis), FleetObserver.NONE)) {
            fleet.pass(500);
            callInTurn(fleet, 90, 10, passed, 0);
            fleet.instances.forEach(instance -> instance.link.lose(() -> true, () -> true));
            callInTurn(fleet, 300, 2_000, passed, 1);
            fleet.instances.forEach(instance -> instance.link.mend());
            fleet.pass(10_000);
            callInTurn(fleet, 300, 10, passed, 2);
        }
        assertThat(passed[0]).as("before the cut").isEqualTo(90);
        assertThat(passed[1]).as("during the cut, by permits in hand").isBetween(1, 100);
        assertThat(passed[0] + passed[1] + passed[2]).isEqualTo((int) threshold);
    }

    /** So many calls, one after the other with a pause between them; notes how many pass. */
    private static void callInTurn(SimulatedFleet fleet, int number, long pauseMillis, int[] passed, int phase) {
        for (int i = 0; i < number; i++) {
            SimulatedInstance instance = fleet.instances.get(i % fleet.instances.size());
            fleet.loop.in(i * pauseMillis * SimulatedFleet.MILLI, () -> {
                if (instance.decide(FleetSimulation.call("acme", 1)).admitted()) {
                    passed[phase]++;
                }
            });
        }
        fleet.pass(number * pauseMillis + 500);
    }

    private static void play(Store store, Scene scene) {
        List<String> complaints = new ArrayList<>();
        int seeds = store == Store.REDIS ? SEEDS / 2 : 4 * SEEDS;
        for (long seed = 1; seed <= seeds; seed++) {
            new Game(store, scene, seed).play(complaints);
        }
        assertThat(complaints).isEmpty();
    }

    /** Callers of one limit of windows, and what happens to the instances that they call. */
    private static final class Game {

        private static final long LEASE_MILLIS = 5_000;
        private static final long SHORT_BURST_MILLIS = 3_000;
        private static final long LONGEST_BURST_MILLIS = 10_000;
        private static final int ROUNDS = 4;
        private static final long LONG_MILLIS = 3_600_000;
        private static final long STEP_MILLIS = 20_000;

        private final Scene scene;
        private final Random random;
        private final long threshold;
        private final long periodMillis;
        private final SimulatedFleet fleet;
        private final String name;
        /** By how much the clock of the store is set ahead. */
        private long storeAheadMillis = LONG_MILLIS / 2;
        /** How many calls passed in each window, by its number. */
        private final Map<Long, Long> admitted = new HashMap<>();
        /** How many permits dead instances held in each window. */
        private final Map<Long, Long> lost = new HashMap<>();

        Game(Store store, Scene scene, long seed) {
            this.scene = scene;
            this.random = new Random(seed);
            this.threshold = random.nextInt(4) == 0 ? 1L + random.nextInt(12) : 40L + random.nextInt(260);
            this.periodMillis =
                    List.of(4_000L, 20_000L, 60_000L, LONG_MILLIS, LONG_MILLIS).get(random.nextInt(5));
            SharingOptions denies = new SharingOptions(SharingOptions.OnFailure.DENY, SharingOptions.DEFAULT.timeout());
            Limits limits = TestLimits.sharing(
                    denies,
                    FleetSimulation.limits(
                            List.of(List.of(CallPattern.window(threshold, "PT" + periodMillis / 1_000 + "S"))),
                            new Sync(Duration.ofSeconds(1), 0, false)));
            this.fleet = new SimulatedFleet(
                    2 + random.nextInt(3),
                    limits,
                    true,
                    loop -> store.open(() -> loop.millis() + storeAheadMillis),
                    FleetObserver.NONE);
            this.name = "%s, %s, seed %d: %d in %d s, %d instances"
                    .formatted(store, scene, seed, threshold, periodMillis / 1_000, fleet.instances.size());
        }

        void play(List<String> complaints) {
            try (fleet) {
                fleet.pass(500);
                for (int round = 0; round < ROUNDS; round++) {
                    round();
                }
                fleet.pass(2 * LEASE_MILLIS);
                long last = takeAll();
                for (Map.Entry<Long, Long> window : admitted.entrySet()) {
                    if (window.getValue() > threshold) {
                        complaints.add(name + ": " + window.getValue() + " passed");
                    }
                }
                long least = threshold - lost.getOrDefault(last, 0L);
                long passed = admitted.getOrDefault(last, 0L);
                if (passed < least) {
                    complaints.add(name + ": only " + passed + " of " + least + " passed in the last window");
                }
            }
        }

        /** Some calls, during which something happens; and more calls than the limit allows, once leases have ended. */
        private void round() {
            long someMillis = calls(1 + random.nextInt((int) Math.max(1, threshold * 2 / 3)), SHORT_BURST_MILLIS);
            fleet.loop.in(random.nextInt((int) someMillis + 1) * SimulatedFleet.MILLI, this::happens);
            fleet.pass(someMillis + random.nextInt((int) LEASE_MILLIS + 3_000));
            long moreMillis = calls(2 * (int) threshold, LONGEST_BURST_MILLIS);
            if (scene == Scene.STORE_CLOCK_STEPS) { // while the last permits are taken
                fleet.loop.in(moreMillis / 2 * SimulatedFleet.MILLI, this::happens);
            }
            fleet.pass(moreMillis + random.nextInt(20_000));
        }

        /** Makes calls to random instances, and returns for how long. */
        private long calls(int number, long mostMillis) {
            long lastMillis = random.nextInt((int) Math.min(periodMillis, mostMillis));
            for (int i = 0; i < number; i++) {
                fleet.loop.in(
                        i * lastMillis * SimulatedFleet.MILLI / number,
                        () -> call(fleet.instances.get(random.nextInt(fleet.instances.size()))));
            }
            return lastMillis;
        }

        private void call(SimulatedInstance instance) {
            if (instance.isDead()) {
                return;
            }
            boolean passes = instance.decide(FleetSimulation.call("acme", 1)).admitted();
            if (passes && !instance.isDead()) {
                admitted.merge(instance.storeMillis() / periodMillis, 1L, Long::sum);
            }
        }

        private void happens() {
            SimulatedInstance victim = fleet.instances.get(random.nextInt(fleet.instances.size()));
            long lastsMillis = LEASE_MILLIS * 2 + random.nextInt(30_000);
            switch (scene) {
                case KILLED -> kill(victim);
                case FROZEN -> {
                    victim.stallLoop(
                            lastsMillis * SimulatedFleet.MILLI + random.nextInt(2 * (int) SimulatedFleet.MILLI));
                    victim.stallCalls(lastsMillis * SimulatedFleet.MILLI);
                    victim.link.stall(lastsMillis * SimulatedFleet.MILLI);
                }
                case CUT_OFF -> {
                    double batches = random.nextDouble();
                    victim.link.lose(() -> random.nextDouble() < batches, () -> true);
                    fleet.loop.in(lastsMillis * SimulatedFleet.MILLI, victim.link::mend);
                }
                case STORE_CLOCK_STEPS -> storeAheadMillis += stepMillis();
            }
        }

        /** Ahead; or back within a long window, since a window that is over begins again. */
        private long stepMillis() {
            boolean mayStepBack = periodMillis == LONG_MILLIS;
            return mayStepBack && random.nextBoolean() ? -STEP_MILLIS : STEP_MILLIS;
        }

        private void kill(SimulatedInstance victim) {
            if (victim.isDead()) {
                return;
            }
            victim.die();
            var unused = fleet.add();
            fleet.loop.in(
                    5 * SimulatedFleet.MILLI,
                    () -> victim.link.held.forEach(
                            (key, held) -> lost.merge(key.start() / periodMillis, held, Long::sum)));
        }

        /** Calls one instance until the limit is used up; returns the number of the window. */
        private long takeAll() {
            fleet.pass(60_000); // what was cut off or stood still is back
            SimulatedInstance caller = fleet.instances.get(fleet.instances.size() - 1);
            long intoWindow = caller.storeMillis() % periodMillis;
            if (periodMillis - intoWindow < 3_000) {
                fleet.pass(periodMillis - intoWindow + 100);
            }
            for (long i = 0; i < threshold + 5; i++) {
                fleet.loop.in(i * 2 * SimulatedFleet.MILLI, () -> call(caller));
            }
            fleet.pass(2_500);
            return caller.storeMillis() / periodMillis;
        }
    }
}
