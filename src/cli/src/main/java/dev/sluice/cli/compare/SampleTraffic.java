package dev.sluice.cli.compare;

import dev.sluice.cli.output.CountText;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Traffic that can be played to a limiter. It consists of the times of the calls in chronological order, in
 * milliseconds since 1970.
 */
final class SampleTraffic {

    /**
     * The start of generated traffic: the first moment of 2026 in UTC. Every period that divides a day evenly begins at
     * this moment.
     */
    private static final long START = 1_767_225_600_000L;

    private static final int PERIODS = 20;

    private static final int[] ONE_CALLER = {};

    private final String name;
    private final long[] millis;
    /** The caller number of each call; empty if all calls come from the same caller. */
    private final int[] callers;

    /** Creates traffic from one caller's calls, in any order. The name is displayed to users. */
    SampleTraffic(String name, LongStream moments) {
        this(name, moments.sorted().toArray(), ONE_CALLER);
    }

    /** Creates traffic from calls in chronological order, with the caller number of each call. */
    SampleTraffic(String name, long[] millis, int[] callers) {
        this.name = name;
        this.millis = millis;
        this.callers = callers;
    }

    /** The kinds of generated traffic. */
    enum Kind {
        /** Calls at independent random times. Their number exceeds the limit by a fifth. */
        RANDOM,
        /** Few calls most of the time, and bursts of many calls within a small part of a period. */
        BURSTY,
        /**
         * Few calls most of the time. At the end of every second period, more calls than the limit allows just before
         * the end, and about as many just after it.
         */
        EDGE
    }

    static SampleTraffic of(Kind kind, long limit, Duration period, long seed) {
        Random random = new Random(seed);
        long length = period.toMillis();
        LongStream moments = switch (kind) {
            case RANDOM -> evenly(random, 0, PERIODS * length, 6 * limit * PERIODS / 5);
            case BURSTY -> bursts(random, limit, length);
            case EDGE -> edges(random, limit, length);
        };
        String name = kind.name().toLowerCase(Locale.ROOT) + " traffic (seed " + seed + ")";
        return new SampleTraffic(name, moments.map(moment -> START + moment));
    }

    private static LongStream evenly(Random random, long from, long length, long calls) {
        return LongStream.range(0, Math.max(1, calls)).map(i -> from + (long) (random.nextDouble() * length));
    }

    private static LongStream bursts(Random random, long limit, long period) {
        LongStream calls = evenly(random, 0, PERIODS * period, limit * PERIODS / 5);
        for (int burst = 0; burst < PERIODS * 3 / 2; burst++) {
            long begin = (long) (random.nextDouble() * (PERIODS - 1) * period);
            long size = (long) (limit * (0.2 + random.nextDouble()));
            calls = LongStream.concat(calls, evenly(random, begin, period / 12, size));
        }
        return calls;
    }

    private static LongStream edges(Random random, long limit, long period) {
        LongStream calls = evenly(random, 0, PERIODS * period, limit * PERIODS / 4);
        for (int mark = 2; mark < PERIODS; mark += 2) {
            calls = LongStream.concat(calls, evenly(random, mark * period - period / 10, period / 5, 5 * limit / 2));
        }
        return calls;
    }

    int calls() {
        return millis.length;
    }

    /** Returns the time of a call. */
    long moment(int call) {
        return millis[call];
    }

    /** Returns the caller number of a call, starting at 0. */
    int caller(int call) {
        return callers.length == 0 ? 0 : callers[call];
    }

    /** Returns the number of callers. */
    int callers() {
        return 1 + IntStream.of(callers).max().orElse(0);
    }

    /** Returns the traffic of one caller alone. */
    SampleTraffic only(int caller) {
        return callers.length == 0
                ? this
                : new SampleTraffic(
                        name,
                        IntStream.range(0, millis.length)
                                .filter(call -> callers[call] == caller)
                                .mapToLong(call -> millis[call]));
    }

    /** Returns the time from the first call to the last. */
    Duration length() {
        return Duration.ofMillis(millis[millis.length - 1] - millis[0]);
    }

    @Override
    public String toString() {
        return name + ", " + CountText.of(calls(), "call")
                + (callers.length == 0 ? "" : " of " + CountText.of(callers(), "caller"));
    }
}
