package dev.sluice.benchmarks.fleet;

import java.util.Random;

/**
 * All calls of a scenario, drawn beforehand: the same for every contestant. They arrive at random (Poisson), whatever becomes of
 * those before.
 */
final class Arrivals {

    private static final long BURST_NANOS = 200_000_000;
    private static final long BURSTS_EVERY_NANOS = 1_000_000_000;

    final int windows;
    final int size;
    private final int[] micros;
    private final byte[] instances;
    private final byte[] tenants;

    private Arrivals(int windows, int most) {
        this.windows = windows;
        this.micros = new int[most];
        this.instances = new byte[most];
        this.tenants = new byte[most];
        this.size = most;
    }

    static Arrivals of(Scenario scenario, double seconds, long seed) {
        Random random = new Random(seed);
        int windows = (int) Math.ceil(seconds / Rule.PERIOD.toSeconds());
        int size = (int) Math.round(scenario.callsPerSecond() * seconds);
        Arrivals arrivals = new Arrivals(windows, size);
        double[][] splits = new double[Rule.TENANTS][];
        // so many calls at independent moments are a Poisson process that is known to have so many
        double[] moments = random.doubles(size).sorted().toArray();
        long window = -1;
        for (int i = 0; i < size; i++) {
            long nanos = (long) (moments[i] * seconds * 1e9);
            if (nanos / Rule.PERIOD.toNanos() != window) {
                window = nanos / Rule.PERIOD.toNanos();
                for (int tenant = 0; tenant < Rule.TENANTS; tenant++) {
                    splits[tenant] = scenario.split(random);
                }
            }
            arrivals.micros[i] = (int) (nanos / 1_000);
            arrivals.tenants[i] = (byte) tenant(scenario, nanos, random);
            arrivals.instances[i] = (byte) draw(splits[arrivals.tenants[i]], random);
        }
        return arrivals;
    }

    /** Tenants that call in bursts take turns, so that the fleet as a whole is called steadily. */
    private static int tenant(Scenario scenario, long nanos, Random random) {
        if (scenario.shape() != Scenario.Shape.BURSTS) {
            return random.nextInt(Rule.TENANTS);
        }
        int calling = (int) (Rule.TENANTS * BURST_NANOS / BURSTS_EVERY_NANOS);
        long first = nanos % BURSTS_EVERY_NANOS * Rule.TENANTS / BURSTS_EVERY_NANOS;
        return (int) (first + random.nextInt(calling)) % Rule.TENANTS;
    }

    private static int draw(double[] split, Random random) {
        double dice = random.nextDouble();
        int instance = 0;
        while (instance < split.length - 1 && dice >= split[instance]) {
            dice -= split[instance++];
        }
        return instance;
    }

    /** When the call comes, from the start. */
    long nanos(int call) {
        return micros[call] * 1_000L;
    }

    int instance(int call) {
        return instances[call];
    }

    int tenant(int call) {
        return tenants[call];
    }

    /** The window, from the start, in which the call is to come. */
    int window(int call) {
        return (int) (nanos(call) / Rule.PERIOD.toNanos());
    }
}
