package dev.sluice.internal.limiter.simulation;

import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One caller in the window in which the store becomes unavailable for the whole fleet. Three seconds later the caller
 * calls every instance until it refuses, so the result says how much the fleet admits of what was left.
 *
 * @param paceASecond how many calls the caller makes in a second before that
 * @param usedBefore which part of the limit the caller has called for when the store becomes unavailable
 */
record OutageScene(
        int instances, long threshold, Duration period, double paceASecond, double usedBefore, Habit habit, Sync sync) {

    /** After this time, every instance has noticed the outage. */
    private static final long CALLS_GO_ON_MILLIS = 3_000;

    private static final double SLOW = 0.1;
    private static final int PAGE = 20;
    private static final long PAGE_GAP_MILLIS = 10;
    private static final TestCall CALL = TestCall.get("/a").of("acme");

    /** How the caller calls. */
    enum Habit {
        /** One instance after the other, at equal distances. */
        EVEN,
        /** Any instance, at random moments. */
        RANDOM,
        /** Pages of calls, to random instances. */
        PAGES,
        /** At random, but much more slowly from some moment within two seconds before the outage. */
        SLOWS_DOWN,
        /** At random, but not at all for some seconds before the outage. */
        PAUSES,
        /** One instance only, until the outage begins. */
        MOVES
    }

    /**
     * What came of it.
     *
     * @param before how many calls were admitted in the window before the outage
     * @param after and how many from then on
     */
    record Result(long limit, long before, long after) {

        /** What passed beyond the limit, as a part of it. */
        double over() {
            return (double) Math.max(0, before + after - limit) / limit;
        }

        /** How much of the limit nobody got although all instances refused, as a part of what was left. */
        double lost() {
            return limit <= before ? 0 : Math.max(0, (double) (limit - before - after) / (limit - before));
        }
    }

    /** The median and the maximum of many results. */
    record Spread(double median, double most) {
        static Spread of(Result[] results, ToDoubleFunction<Result> figure) {
            double[] sorted = Stream.of(results).mapToDouble(figure).sorted().toArray();
            return new Spread(sorted[sorted.length / 2], sorted[sorted.length - 1]);
        }
    }

    static OutageScene of(int instances, long threshold, Duration period, double pace, double used, Habit habit) {
        return new OutageScene(instances, threshold, period, pace, used, habit, Sync.DEFAULT);
    }

    OutageScene withoutSlack() {
        Sync none = new Sync(Sync.DEFAULT.every(), 0, false);
        return new OutageScene(instances, threshold, period, paceASecond, usedBefore, habit, none);
    }

    Result[] play(int seeds) {
        return LongStream.range(0, seeds).mapToObj(this::play).toArray(Result[]::new);
    }

    /** Plays the scene with these random numbers. */
    Result play(long seed) {
        return new Play(new Random(seed)).result();
    }

    private final class Play {
        private final Random random;
        private final long startMillis = SimulatedFleet.START_NANOS / SimulatedFleet.MILLI;
        private final long windowMillis;
        private final long beginMillis;
        private final long outageMillis;
        private final long slowMillis;
        private int next;
        private long before;
        private long after;

        Play(Random random) {
            this.random = random;
            long length = period.toMillis();
            boolean isSteady = length <= 60_000 && random.nextBoolean();
            long leadMillis = 2_000L + random.nextInt(1_000);
            windowMillis = isSteady ? length : 0;
            beginMillis = isSteady ? leadMillis : leadMillis + random.nextInt((int) Math.min(length / 10, 10_000));
            long callsMillis = Math.round(usedBefore * threshold / paceASecond * 1_000);
            long pauseMillis = habit == Habit.PAUSES ? 200 + random.nextInt(3_000) : 0;
            long lastMillis = (isSteady ? windowMillis : beginMillis) + callsMillis;
            outageMillis = lastMillis + pauseMillis;
            slowMillis = habit == Habit.PAUSES
                    ? lastMillis
                    : habit == Habit.SLOWS_DOWN ? outageMillis - random.nextInt(2_000) : Long.MAX_VALUE;
            if (outageMillis + CALLS_GO_ON_MILLIS + 1_000 > windowMillis + length) {
                throw new IllegalArgumentException("the window ends too soon: " + OutageScene.this);
            }
        }

        Result result() {
            Tier tier = new Tier("t", new Limit.FixedWindow(threshold, period), sync);
            Limits limits =
                    TestLimits.sharing(SharingOptions.DEFAULT, TestLimits.of(TestLimits.endpoint("e", "/a", tier)));
            try (SimulatedFleet fleet = new SimulatedFleet(0, limits, true)) {
                for (int i = 0; i < instances; i++) { // their intervals begin at different moments
                    fleet.loop.at(nanos(random.nextInt(1_000)), fleet::add);
                }
                callOn(fleet, (double) beginMillis);
                fleet.loop.at(nanos(outageMillis), () -> {
                    fleet.instances.forEach(one -> one.link.cut());
                });
                fleet.loop.at(nanos(outageMillis + CALLS_GO_ON_MILLIS), () -> callUntilRefused(fleet));
                fleet.pass(outageMillis + CALLS_GO_ON_MILLIS + 1_000);
                return new Result(threshold, before, after);
            }
        }

        private long nanos(long millis) {
            return (startMillis + millis) * SimulatedFleet.MILLI;
        }

        private void callOn(SimulatedFleet fleet, double millis) {
            double pace = millis < slowMillis ? paceASecond : habit == Habit.PAUSES ? 0 : SLOW * paceASecond;
            if (millis >= outageMillis + CALLS_GO_ON_MILLIS || pace == 0) {
                return;
            }
            int instance = switch (habit) {
                case EVEN -> next % instances;
                case MOVES -> millis < outageMillis ? 0 : next % instances;
                case RANDOM, PAGES, SLOWS_DOWN, PAUSES -> random.nextInt(instances);
            };
            double gap = switch (habit) {
                case EVEN -> 1_000 / pace;
                case PAGES ->
                    next % PAGE < PAGE - 1
                            ? PAGE_GAP_MILLIS
                            : Math.max(1, PAGE * 1_000 / pace - PAGE * PAGE_GAP_MILLIS);
                case RANDOM, SLOWS_DOWN, PAUSES, MOVES -> -Math.log(1 - random.nextDouble()) * 1_000 / pace;
            };
            next++;
            long at = (long) ((startMillis + millis) * SimulatedFleet.MILLI);
            fleet.loop.at(at, () -> call(fleet, instance));
            fleet.loop.at(at, () -> callOn(fleet, millis + gap));
        }

        private boolean call(SimulatedFleet fleet, int instance) {
            long called = fleet.elapsedMillis();
            boolean admitted = fleet.instances.get(instance).decide(CALL).admitted();
            if (admitted && called >= windowMillis) {
                if (called < outageMillis) {
                    before++;
                } else {
                    after++;
                }
            }
            return admitted;
        }

        private void callUntilRefused(SimulatedFleet fleet) {
            for (int i = 0; i < instances; i++) {
                int instance = i;
                fleet.loop.in(0, () -> {
                    for (int refused = 0; refused < 2; ) {
                        refused += call(fleet, instance) ? 0 : 1;
                    }
                });
            }
        }
    }

    /** Plays this many seeds, and returns the results as a row of the table. */
    String row(int seeds) {
        Result[] results = play(seeds);
        Spread over = Spread.of(results, Result::over);
        Spread lost = Spread.of(results, Result::lost);
        return "%-10s %2d instances, %4d/%s, %5.1f calls/s, %2.0f %% called for: %5.1f, %5.1f %% over, %5.1f, %5.1f %% lost"
                .formatted(
                        habit,
                        instances,
                        threshold,
                        period.toString().substring(2),
                        paceASecond,
                        100 * usedBefore,
                        100 * over.median,
                        100 * over.most,
                        100 * lost.median,
                        100 * lost.most);
    }

    /** Every habit, with limits from 5 to 1,000, slow and fast callers, early and late in the window. */
    static Stream<OutageScene> all() {
        return Stream.of(Habit.values())
                .flatMap(habit -> IntStream.of(2, 3, 10).boxed().flatMap(instances -> all(instances, habit)));
    }

    private static Stream<OutageScene> all(int instances, Habit habit) {
        return Stream.of(0.2, 0.5, 0.8)
                .flatMap(used -> Stream.of(
                                of(instances, 5, Duration.ofHours(1), 0.2, used, habit),
                                of(instances, 5, Duration.ofSeconds(10), 2, used, habit),
                                of(instances, 60, Duration.ofMinutes(1), 3, used, habit),
                                of(instances, 60, Duration.ofMinutes(1), 30, used, habit),
                                of(instances, 100, Duration.ofMinutes(1), 10, used, habit),
                                of(instances, 300, Duration.ofMinutes(1), 10, used, habit),
                                of(instances, 300, Duration.ofMinutes(1), 60, used, habit),
                                of(instances, 300, Duration.ofMinutes(1), 200, used, habit),
                                of(instances, 1_000, Duration.ofSeconds(10), 200, used, habit),
                                of(instances, 1_000, Duration.ofMinutes(1), 500, used, habit),
                                of(instances, 1_000, Duration.ofHours(1), 50, used, habit))
                        .filter(OutageScene::fitsIntoItsWindow));
    }

    private boolean fitsIntoItsWindow() {
        return period.toMillis() > 10_000 || usedBefore * threshold / paceASecond <= 2;
    }
}
