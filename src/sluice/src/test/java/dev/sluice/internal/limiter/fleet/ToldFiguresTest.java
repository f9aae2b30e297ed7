package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.leaky;
import static dev.sluice.internal.limiter.simulation.CallPattern.log;
import static dev.sluice.internal.limiter.simulation.CallPattern.sliding;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * If nobody else calls meanwhile, an answer keeps its word: as many calls pass as {@code remaining} says, and a retry
 * passes after {@code Retry-After}. Random fleets in virtual time, with every algorithm, several tiers, costs and
 * refunds.
 */
class ToldFiguresTest {

    private static final int GAMES = 20;
    private static final int ROUNDS = 3;
    private static final int COUNTED = 200;
    private static final long LONGEST_TRIP_MILLIS = 20;
    private static final long LONGEST_CALL_MILLIS = 80;
    /** By then all instances know what calls have returned. */
    private static final long KNOWN_MILLIS = 200;
    /** By then no instance holds anything, so that the next one to be called asks the store. */
    private static final long SETTLED_MILLIS = 6_000;

    @Test
    void aCallerWhoStaysOnAnInstanceGetsWhatItReported() {
        assertThat(complaints(1, GAMES, true)).isEmpty();
    }

    @Test
    void aCallerWhoReturnsAfterAPauseGetsWhatWasReported() {
        assertThat(complaints(1, GAMES, false)).isEmpty();
    }

    /** As a limiter without a store reports, which knows all calls. */
    @Test
    void aLoneCallerLearnsWhenTheWholeLimitIsFree() {
        String hour = "PT1H";
        for (Limit limit : List.of(
                window(462, hour), sliding(462, hour, 1), log(462, hour), bucket(50, hour, 50), leaky(206, hour))) {
            Limits limits = FleetSimulation.limits(List.of(List.of(limit)), Sync.DEFAULT);
            try (SimulatedFleet fleet = new SimulatedFleet(3, limits, true);
                    CountingRateLimiter knowing = new CountingRateLimiter(
                            limits, () -> Instant.ofEpochMilli(fleet.millis()), RateLimitListener.NONE)) {
                List<Long> wrongMillis = new ArrayList<>();
                fleet.pass(500);
                for (int call = 0; call < 8; call++) {
                    fleet.loop.in(0, () -> {
                        Call next = FleetSimulation.call("caller", 1);
                        long told = fleet.instances.get(0).decide(next).resetAfterMillis();
                        wrongMillis.add(told - knowing.decide(next).resetAfterMillis());
                    });
                    fleet.pass(call == 4 ? 3_000 : 10);
                }
                assertThat(wrongMillis)
                        .as("%s", limit)
                        .hasSize(8)
                        .allMatch(wrong -> Math.abs(wrong) <= LONGEST_TRIP_MILLIS);
            }
        }
    }

    /** Plays seeds from one to another, and prints all that is wrong. */
    public static void main(String[] args) {
        for (boolean stays : List.of(true, false)) {
            List<String> all = complaints(Long.parseLong(args[0]), Long.parseLong(args[1]), stays);
            all.forEach(System.out::println);
            System.out.println(all.size() + " wrong if the caller " + (stays ? "stays" : "goes round"));
        }
    }

    private static List<String> complaints(long from, long to, boolean stays) {
        List<String> all = new ArrayList<>();
        for (long seed = from; seed <= to; seed++) {
            for (String complaint : new Game(seed, stays).play()) {
                all.add("seed " + seed + (stays ? " stays " : " ") + complaint);
            }
        }
        return all;
    }

    /** The calls of one caller, all from one seed. */
    private static final class Game {
        private final Random random;
        private final boolean stays;
        private final List<Limit> limits;
        /** How much too early a retry may come. */
        private final long earlyMillis;

        private final int mostCost;
        private final SimulatedFleet fleet;
        private final List<Decision> inFlight = new ArrayList<>();
        private final List<String> complaints = new ArrayList<>();

        Game(long seed, boolean stays) {
            this.random = new Random(seed);
            this.stays = stays;
            this.limits = Stream.generate(this::randomLimit)
                    .limit(1 + random.nextInt(2))
                    .distinct()
                    .toList();
            this.mostCost = 1 + 2 * random.nextInt(2);
            Sync sync = new Sync(Sync.DEFAULT.every(), stays ? random.nextInt(2) * 0.01 : 0, false);
            Set<Integer> counted = random.nextBoolean() ? Set.of(COUNTED) : Set.of();
            boolean isOldestUncertain =
                    !counted.isEmpty() && limits.stream().anyMatch(Limit.SlidingLog.class::isInstance);
            this.earlyMillis =
                    LONGEST_TRIP_MILLIS + (isOldestUncertain ? sync.every().toMillis() : 0);
            this.fleet = new SimulatedFleet(
                    1 + random.nextInt(4), FleetSimulation.limits(List.of(limits), sync, counted), true);
            fleet.longestTripMillis = LONGEST_TRIP_MILLIS;
            fleet.roundTripNanos = () ->
                    (1 + random.nextInt((int) LONGEST_TRIP_MILLIS)) * SimulatedFleet.MILLI - random.nextInt(900_000);
        }

        private Limit randomLimit() {
            long threshold = 1L + random.nextInt(random.nextBoolean() ? 12 : 150);
            String period = List.of("PT1S", "PT4S", "PT10S").get(random.nextInt(3));
            return switch (random.nextInt(7)) {
                case 0 -> sliding(threshold, period, 1 + 3 * random.nextInt(2));
                case 1 -> log(threshold, period);
                case 2 -> bucket(threshold, period, 1 + random.nextInt((int) threshold));
                case 3 -> leaky(threshold, period);
                case 4 -> new Limit.LeakyBucket(threshold, Duration.parse(period), threshold, Duration.ofSeconds(10));
                case 5 -> slots(threshold);
                default -> window(threshold, period);
            };
        }

        List<String> play() {
            try (fleet) {
                fleet.pass(500);
                for (int round = 0; round < ROUNDS; round++) {
                    burst();
                    CompletableFuture<Void> probed = new CompletableFuture<>();
                    fleet.loop.in(0, () -> {
                        probe();
                        probed.complete(null);
                    });
                    while (!probed.isDone()) {
                        fleet.pass(1_000);
                    }
                }
            }
            return complaints.isEmpty()
                    ? List.of()
                    : List.of(limits + " x " + fleet.instances.size() + ", cost " + mostCost + ": " + complaints);
        }

        private void burst() {
            int calls = random.nextInt((int) Math.min(limits.get(0).capacity() + 3, 120));
            int lastsMillis = random.nextInt(2_000);
            for (int call = 0; call < calls; call++) {
                long endsMillis = 1L + random.nextInt((int) LONGEST_CALL_MILLIS);
                int instance = anyInstance();
                fleet.loop.in(random.nextInt(lastsMillis + 1) * SimulatedFleet.MILLI, () -> {
                    Decision decision = decide(instance, randomCost());
                    fleet.loop.in(endsMillis * SimulatedFleet.MILLI, () -> end(decision));
                });
            }
            fleet.pass(lastsMillis + LONGEST_CALL_MILLIS + 20 * LONGEST_TRIP_MILLIS + (stays ? 0 : SETTLED_MILLIS));
        }

        private int anyInstance() {
            return stays ? 0 : random.nextInt(fleet.instances.size());
        }

        private int randomCost() {
            return 1 + random.nextInt(mostCost);
        }

        private Decision decide(int instance, long cost) {
            return fleet.instances.get(instance).decide(FleetSimulation.call("caller", cost));
        }

        private void end(Decision decision) {
            if (decision.ticket() != null) {
                decision.ticket().ended(random.nextBoolean() ? COUNTED : 500);
            }
        }

        private void pass(long millis) {
            fleet.loop.await(new CompletableFuture<>(), millis * SimulatedFleet.MILLI);
        }

        private Decision call(long cost) {
            Decision decision = decide(anyInstance(), cost);
            inFlight.add(decision);
            return decision;
        }

        /** Some calls, one after the other. */
        private void probe() {
            for (int time = 0; time < 3; time++) {
                long cost = randomCost();
                Decision told = call(cost);
                long atMillis = fleet.elapsedMillis();
                if (told.admitted()) {
                    useAllThatIsLeft(told, atMillis);
                } else if (limits.stream().allMatch(limit -> cost <= limit.capacity())) {
                    pass(told.retryAfterMillis() + earlyMillis);
                    Decision again = call(cost);
                    if (!again.admitted()) {
                        complain(
                                atMillis,
                                told,
                                "a retry with cost " + cost + " is refused until " + again.retryAfterMillis());
                    }
                }
                inFlight.forEach(this::end);
                inFlight.clear();
                pass(KNOWN_MILLIS);
                if (!stays) {
                    pass(SETTLED_MILLIS);
                }
            }
        }

        private void useAllThatIsLeft(Decision told, long atMillis) {
            for (long used = 0; used < told.remaining(); used++) {
                Decision next = call(1);
                if (!next.admitted()) {
                    if (Objects.equals(next.tier(), told.tier())) {
                        complain(atMillis, told, "only " + used + " more pass, until " + next.retryAfterMillis());
                    }
                    return;
                }
            }
        }

        private void complain(long atMillis, Decision told, String what) {
            complaints.add("at " + atMillis + " ms: told " + told.outcome() + " " + told.remaining()
                    + " left, retry after " + told.retryAfterMillis() + " ms; " + what);
        }
    }
}
