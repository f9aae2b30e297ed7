package dev.sluice.benchmarks.fleet.steady;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/**
 * All calls of a scenario. The calls are generated in advance and are the same for all contestants. They arrive at
 * random times (as a Poisson process) and do not wait for earlier calls. Immutable.
 */
final class Arrivals {

    private static final long BURST_NANOS = 200_000_000;
    private static final long BURSTS_EVERY_NANOS = 1_000_000_000;

    final int windows;
    final int size;
    private final int[] micros;
    private final short[] instances;
    private final byte[] tenants;

    private Arrivals(int windows, int size) {
        this.windows = windows;
        this.size = size;
        this.micros = new int[size];
        this.instances = new short[size];
        this.tenants = new byte[size];
    }

    /** Generates calls for a number of windows, and for the lead time before the first window. */
    static Arrivals of(Scenario scenario, Duration lead, int windows, long seed) {
        Random random = new Random(seed);
        long nanos = lead.plus(Article.PERIOD.multipliedBy(windows)).toNanos();
        Arrivals arrivals = new Arrivals(windows, (int) Math.round(scenario.callsPerSecond() * (nanos / 1e9)));
        // n independent random times form a Poisson process, given that there are n calls
        double[] moments = random.doubles(arrivals.size).sorted().toArray();
        double[][] splits = new double[Article.TENANTS][];
        int window = Integer.MIN_VALUE;
        for (int call = 0; call < arrivals.size; call++) {
            long at = (long) (moments[call] * nanos) - lead.toNanos();
            arrivals.micros[call] = (int) Math.floorDiv(at, 1_000L);
            if (arrivals.window(call) != window) {
                window = arrivals.window(call);
                Arrays.setAll(splits, tenant -> scenario.split(random));
            }
            arrivals.tenants[call] = (byte) tenant(scenario, at, random);
            arrivals.instances[call] = (short) draw(splits[arrivals.tenants[call]], random);
        }
        return arrivals;
    }

    /**
     * Chooses the tenant of a call. The bursts of different tenants are staggered, so the total load on the fleet is
     * steady.
     */
    private static int tenant(Scenario scenario, long nanos, Random random) {
        if (scenario.shape() != Scenario.Shape.BURSTS) {
            return random.nextInt(Article.TENANTS);
        }
        int calling = (int) (Article.TENANTS * BURST_NANOS / BURSTS_EVERY_NANOS);
        long first = Math.floorMod(nanos, BURSTS_EVERY_NANOS) * Article.TENANTS / BURSTS_EVERY_NANOS;
        return (int) (first + random.nextInt(calling)) % Article.TENANTS;
    }

    private static int draw(double[] split, Random random) {
        double dice = random.nextDouble();
        int instance = 0;
        while (instance < split.length - 1 && dice >= split[instance]) {
            dice -= split[instance++];
        }
        return instance;
    }

    /** The time at which the call is due, relative to the start of the first window; negative before that start. */
    long nanos(int call) {
        return micros[call] * 1_000L;
    }

    int instance(int call) {
        return instances[call];
    }

    int tenant(int call) {
        return tenants[call];
    }

    /** The number of the window in which the call is due; -1 before the first window. */
    int window(int call) {
        return (int) Math.floorDiv(nanos(call), Article.PERIOD.toNanos());
    }
}
