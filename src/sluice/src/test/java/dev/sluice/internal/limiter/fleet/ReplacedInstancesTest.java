package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random games in which instances are replaced while calls come and give back what they took: in the end, all is left
 * that calls have given back before their instance closed. The system property {@code sluice.games} says how many.
 */
class ReplacedInstancesTest {

    private static final int THRESHOLD = 60;
    private static final int GAMES = Integer.getInteger("sluice.games", 15);
    private static final int FAILS = 401;
    private static final int SUCCEEDS = 200;
    private static final int PLAYED_MILLIS = 12_000;

    /** An instance, and how many of its calls are in flight. */
    private static final class Live {
        private final SimulatedInstance instance;
        private int inFlight;
        private boolean leaves;
        private boolean closesAtOnce;
        private boolean closed;

        private Live(SimulatedInstance instance) {
            this.instance = instance;
        }
    }

    static Stream<Limit> limits() {
        Duration year = Duration.ofDays(366);
        return Stream.of(
                new Limit.FixedWindow(THRESHOLD, year),
                new Limit.SlidingWindow(THRESHOLD, year, 4),
                new Limit.SlidingLog(THRESHOLD, year),
                new Limit.TokenBucket(THRESHOLD, year, THRESHOLD),
                new Limit.LeakyBucket(THRESHOLD, year, 0, Duration.ZERO));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void nothingGivenBackIsLost(Limit limit) {
        List<String> wrong = new ArrayList<>();
        LongStream.rangeClosed(1, GAMES).forEach(seed -> play(limit, seed, wrong));
        assertThat(wrong).isEmpty();
    }

    private static void play(Limit limit, long seed, List<String> wrong) {
        Random random = new Random(seed);
        Tier tier =
                new Tier("t", limit, random.nextBoolean() ? Sync.DEFAULT : new Sync(Duration.ofSeconds(1), 0, false));
        var limits = TestLimits.of(counting(endpoint("e", "/a", tier), Set.of(FAILS), Cost.ONE));
        int size = 2 + random.nextInt(3);
        try (SimulatedFleet fleet = new SimulatedFleet(size, limits, true)) {
            // 0: all is well; 1: a slow store; 2: the store stands still now and then; 3: instances close with calls in
            // flight
            int mood = random.nextInt(4);
            if (mood == 1) {
                fleet.roundTripNanos = () -> (1 + random.nextInt(40)) * SimulatedFleet.MILLI;
            }
            for (int i = 0; mood == 2 && i < 12; i++) {
                fleet.loop.in(
                        (1_000 + random.nextInt(PLAYED_MILLIS)) * SimulatedFleet.MILLI,
                        () -> fleet.stallStore(random.nextInt(180) * SimulatedFleet.MILLI));
            }
            List<Live> live = new ArrayList<>();
            fleet.instances.forEach(instance -> live.add(new Live(instance)));
            int[] counted = {0};
            int[] late = {0};
            int calls = 60 + random.nextInt(200);
            for (int i = 0; i < calls; i++) {
                fleet.loop.in((1_000 + random.nextInt(PLAYED_MILLIS)) * SimulatedFleet.MILLI, () -> {
                    Live one = live.get(random.nextInt(live.size()));
                    one.inFlight++;
                    Decision decision = one.instance.decide(TestCall.get("/a").of("acme"));
                    if (!decision.admitted()) {
                        ended(one);
                        return;
                    }
                    boolean counts = random.nextInt(4) == 0 && counted[0] < THRESHOLD / 2;
                    counted[0] += counts ? 1 : 0;
                    fleet.loop.in(1 + random.nextInt(600) * SimulatedFleet.MILLI, () -> {
                        late[0] += one.closed && !counts ? 1 : 0;
                        decision.ticket().ended(counts ? FAILS : SUCCEEDS);
                        ended(one);
                    });
                });
            }
            for (int i = 0; i < 8; i++) {
                fleet.loop.in((1_500 + random.nextInt(PLAYED_MILLIS)) * SimulatedFleet.MILLI, () -> {
                    live.add(new Live(fleet.add()));
                    Live leaving = live.remove(random.nextInt(live.size() - 1));
                    leaving.leaves = true;
                    leaving.closesAtOnce = mood == 3;
                    leaving.inFlight++;
                    ended(leaving);
                });
            }
            fleet.pass(PLAYED_MILLIS + 9_000);
            int[] passed = {0};
            for (int i = 0; i < 2 * THRESHOLD; i++) {
                Live one = live.get(i % live.size());
                fleet.loop.in(20L * i * SimulatedFleet.MILLI, () -> {
                    Decision decision = one.instance.decide(TestCall.get("/a").of("acme"));
                    passed[0] += decision.admitted() ? 1 : 0;
                    if (decision.admitted()) {
                        decision.ticket().ended(FAILS);
                    }
                });
            }
            fleet.pass(6_000);
            int most = THRESHOLD - counted[0];
            if (passed[0] > most || passed[0] < most - late[0]) {
                wrong.add("seed " + seed + " mood " + mood + " size " + size + ": " + passed[0] + " passed beside "
                        + counted[0] + ", late " + late[0]);
            }
        }
    }

    /** An instance that leaves is closed once its calls have ended. */
    private static void ended(Live one) {
        one.inFlight--;
        if (one.leaves && (one.inFlight == 0 || one.closesAtOnce) && !one.closed) {
            one.closed = true;
            one.instance.limiter.close();
        }
    }
}
