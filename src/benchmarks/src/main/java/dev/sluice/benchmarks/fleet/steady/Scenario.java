package dev.sluice.benchmarks.fleet.steady;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A load with a given number of instances, rate and distribution.
 *
 * @param callsPerSecond the total rate for all tenants and instances
 * @param shape how the calls are distributed
 */
record Scenario(int instances, int callsPerSecond, Shape shape) {

    /** The load in the article, which is 40 % of the limit. */
    static final Scenario ARTICLE = new Scenario(3, 1_000, Shape.EVEN);

    private static final int LIMIT_PER_SECOND =
            (int) (Article.TENANTS * Article.THRESHOLD / Article.PERIOD.toSeconds());

    /** How calls are distributed over instances and time. */
    enum Shape {
        /** Each instance receives the same share. */
        EVEN,
        /** The first instance receives 70 % of each tenant's calls, the second 20 %, and the third 10 %. */
        SKEWED,
        /**
         * Each tenant calls only during one fifth of each second, at five times its average rate. Which fifth this is
         * depends on the tenant.
         */
        BURSTS,
        /** In each window, a fifth of the tenants are new to all instances. */
        COLD,
        /**
         * Three instances receive 70 %, 20 % and 10 % of a tenant's calls. These instances are chosen at random for
         * each tenant in each window.
         */
        RESHUFFLED;

        /** Whether each tenant calls each instance at a constant rate. */
        boolean isSteady() {
            return this == EVEN || this == SKEWED;
        }
    }

    /** Creates a load that is the given multiple of the limit. */
    static Scenario times(double times, int instances, Shape shape) {
        return new Scenario(instances, (int) Math.round(times * LIMIT_PER_SECOND), shape);
    }

    /** The load as a multiple of the limit. */
    double times() {
        return (double) callsPerSecond / LIMIT_PER_SECOND;
    }

    /** The number of tenants to replace in each window. */
    int newEachWindow() {
        return shape == Shape.COLD ? Article.TENANTS / 5 : 0;
    }

    String title() {
        return String.format(
                Locale.ROOT,
                "%d instances, %,d calls/s, %s",
                instances,
                callsPerSecond,
                shape.name().toLowerCase(Locale.ROOT));
    }

    /** Each instance's share of a tenant's calls in one window. The shares add up to 1. */
    double[] split(Random random) {
        double[] split = new double[instances];
        if (shape == Shape.SKEWED || shape == Shape.RESHUFFLED) {
            List<Double> parts = List.of(0.7, 0.2, 0.1);
            int first = shape == Shape.SKEWED ? 0 : random.nextInt(instances);
            for (int i = 0; i < parts.size(); i++) {
                split[(first + i) % instances] = parts.get(i);
            }
        } else {
            Arrays.fill(split, 1.0 / instances);
        }
        return split;
    }
}
