package dev.sluice.benchmarks.fleet.steady;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A load.
 *
 * @param callsPerSecond the total for all tenants and instances
 * @param shape the distribution of calls
 */
record Scenario(int instances, int callsPerSecond, Shape shape) {

    /** The load in the article: 40 % of the limit. */
    static final Scenario ARTICLE = new Scenario(3, 1_000, Shape.EVEN);

    private static final int LIMIT_PER_SECOND =
            (int) (Article.TENANTS * Article.THRESHOLD / Article.PERIOD.toSeconds());

    /** The distribution of calls over instances and time. */
    enum Shape {
        /** Each instance gets the same share. */
        EVEN,
        /** The first instance gets 70 % of each tenant's calls, the second 20 %, the third 10 %. */
        SKEWED,
        /** Each tenant calls only during a fifth of each second, at its own time, and five times as fast. */
        BURSTS,
        /** In each window, a fifth of the tenants are new to all instances. */
        COLD,
        /**
         * Three instances get 70 %, 20 % and 10 % of a tenant's calls. They are chosen at random for each tenant in
         * each window.
         */
        RESHUFFLED;

        /** Whether each tenant calls each instance equally often at all times. */
        boolean isSteady() {
            return this == EVEN || this == SKEWED;
        }
    }

    /** A load that is the given multiple of the limit. */
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

    /** For each instance, its share of a tenant's calls in one window. The sum of the shares is 1. */
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
