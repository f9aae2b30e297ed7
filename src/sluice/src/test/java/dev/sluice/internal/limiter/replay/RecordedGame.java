package dev.sluice.internal.limiter.replay;

import dev.sluice.TestLimits;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.EventLoop;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * A random game of one caller under one limit of windows without slack, all from one seed, and its lines. Batches and
 * answers get lost, but never so often that the store counts as unavailable.
 *
 * @param seed the number of the game
 * @param limit the limit
 * @param windows how many windows it took
 * @param mostWanted how many permits an instance wanted ahead, at most
 * @param lines what happened
 */
record RecordedGame(long seed, int limit, int windows, long mostWanted, List<TraceLine> lines) {

    /** What happens besides calls. */
    enum Trouble {
        NONE,
        LOSSES,
        STALLS,
        KILLS,
        FREEZES
    }

    private static final long PERIOD_MILLIS = 30_000;
    /** Longer than a lease, so that no call gives up. */
    private static final SharingOptions PATIENT =
            new SharingOptions(SharingOptions.OnFailure.DENY, Duration.ofSeconds(10));

    private static final long LEASE_MILLIS = 5 * Sync.DEFAULT.every().toMillis();
    private static final int BURSTS = 5;
    private static final List<CallPattern.Deal> DEALS = List.of(CallPattern.Deal.values());
    /** After a loss, nothing is lost for so long, so that the next attempt succeeds. */
    private static final long BETWEEN_LOSSES_MILLIS = 60;

    private static final double LOST = 0.15;
    private static final int MOST_WINDOWS = 6;
    private static final long MOST_WANTED = 100;
    private static final int MOST_LOOKS = 20;
    private static final long LOOK_MILLIS = 20;

    /** The same limit with other lines. */
    RecordedGame with(List<TraceLine> others) {
        return new RecordedGame(seed, limit, MOST_WINDOWS, MOST_WANTED, others);
    }

    static Trouble troubleOf(long seed) {
        return Trouble.values()[(int) (seed % Trouble.values().length)];
    }

    static RecordedGame play(long seed, int limit, Function<EventLoop, CounterStore> store) {
        return new Player(seed, limit, store).play();
    }

    /** Plays one game. */
    private static final class Player {
        private final long seed;
        private final int limit;
        private final Trouble trouble;
        private final Random random;
        private final GameRecorder recorder;
        private final SimulatedFleet fleet;
        private long lostMillis;
        private long frozenUntilMillis;
        private SimulatedInstance frozen;

        private Player(long seed, int limit, Function<EventLoop, CounterStore> store) {
            this.seed = seed;
            this.limit = limit;
            this.trouble = troubleOf(seed);
            this.random = new Random(seed * 31 + limit);
            Sync sync = new Sync(Sync.DEFAULT.every(), 0, false);
            String period = Duration.ofMillis(PERIOD_MILLIS).toString();
            Limits limits = TestLimits.sharing(
                    PATIENT, FleetSimulation.limits(List.of(List.of(CallPattern.window(limit, period))), sync));
            this.recorder = new GameRecorder(PERIOD_MILLIS);
            Function<EventLoop, CounterStore> followed = loop -> {
                recorder.follow(loop);
                return store.apply(loop);
            };
            this.fleet = new SimulatedFleet(2 + random.nextInt(3), limits, true, followed, recorder);
            double longestMillis = random.nextBoolean() ? 2 : 20;
            fleet.roundTripNanos =
                    () -> (long) (SimulatedFleet.MILLI * (0.2 + random.nextDouble() * (longestMillis - 0.2)));
        }

        private RecordedGame play() {
            try (fleet) {
                fleet.pass(500);
                if (trouble == Trouble.LOSSES) {
                    fleet.instances.forEach(instance -> instance.link.lose(this::loses, this::loses));
                }
                for (int burst = 0; burst < BURSTS; burst++) {
                    burst(burst);
                }
                fleet.instances.stream().filter(one -> !one.isDead()).forEach(one -> one.link.mend());
                fleet.pass(2 * LEASE_MILLIS);
            }
            if (recorder.wasUnavailable()) {
                throw new IllegalStateException("game " + seed + " had an outage");
            }
            return new RecordedGame(seed, limit, recorder.windows(), recorder.mostWanted(), recorder.lines());
        }

        private boolean loses() {
            boolean mayLose = fleet.millis() - lostMillis >= BETWEEN_LOSSES_MILLIS;
            boolean loses = mayLose && random.nextDouble() < LOST;
            lostMillis = loses ? fleet.millis() : lostMillis;
            return loses;
        }

        private void burst(int number) {
            int calls = 1 + random.nextInt(limit + 3);
            double gapMillis = random.nextInt(4) == 0 ? 0 : random.nextDouble() * 8_000 / calls;
            CallPattern.Deal deal = DEALS.get(random.nextInt(DEALS.size()));
            int first = random.nextInt(fleet.instances.size());
            for (int call = 0; call < calls; call++) {
                int instance = deal.instance(random, first, call, calls, fleet.instances.size());
                fleet.loop.in((long) (call * gapMillis * SimulatedFleet.MILLI), () -> call(instance));
            }
            long lastsMillis = (long) Math.ceil(calls * gapMillis);
            if (number < BURSTS - 1) {
                int whenMillis = random.nextInt((int) lastsMillis + 1);
                fleet.loop.in(whenMillis * SimulatedFleet.MILLI, () -> trouble(MOST_LOOKS));
            }
            fleet.pass(lastsMillis + (random.nextInt(3) == 0 ? random.nextInt(9_000) : random.nextInt(1_500)));
        }

        /** Rather strikes an instance that holds permits, and looks for one so often. */
        private void trouble(int looks) {
            List<SimulatedInstance> holders = fleet.instances.stream()
                    .filter(one -> isServing(one) && recorder.isHolder(one))
                    .toList();
            if (holders.isEmpty() && looks > 0) {
                fleet.loop.in(LOOK_MILLIS * SimulatedFleet.MILLI, () -> trouble(looks - 1));
                return;
            }
            List<SimulatedInstance> victims = holders.isEmpty() ? fleet.instances : holders;
            SimulatedInstance victim = victims.get(random.nextInt(victims.size()));
            switch (trouble) {
                case STALLS -> stall(victim, 20 + random.nextInt(180));
                case KILLS -> {
                    if (!victim.isDead() && fleet.instances.size() < 6) {
                        victim.die();
                        var unused = fleet.add();
                    }
                }
                case FREEZES -> {
                    if (frozenUntilMillis <= fleet.millis()) {
                        long millis = LEASE_MILLIS / 2 + random.nextInt(2 * (int) LEASE_MILLIS);
                        frozen = victim;
                        frozenUntilMillis = fleet.millis() + millis + 50;
                        stall(victim, millis);
                    }
                }
                default -> {}
            }
        }

        private static void stall(SimulatedInstance victim, long millis) {
            victim.stallLoop(millis * SimulatedFleet.MILLI);
            victim.link.stall(millis * SimulatedFleet.MILLI);
            victim.stallCalls(millis * SimulatedFleet.MILLI);
        }

        private boolean isServing(SimulatedInstance instance) {
            return !instance.isDead() && (instance != frozen || fleet.millis() >= frozenUntilMillis);
        }

        private void call(int index) {
            SimulatedInstance instance = fleet.instances.get(index);
            while (!isServing(instance)) {
                instance = fleet.instances.get((fleet.instances.indexOf(instance) + 1) % fleet.instances.size());
            }
            var unused = instance.decide(FleetSimulation.call("caller", 1));
        }
    }
}
