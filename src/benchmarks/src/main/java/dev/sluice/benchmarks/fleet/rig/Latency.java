package dev.sluice.benchmarks.fleet.rig;

import java.util.Arrays;

/** Percentiles of a set of times, in microseconds. */
public record Latency(double p50, double p95, double p99, double p999, double max) {

    public static Latency of(double[] micros) {
        double[] sorted = micros.clone();
        Arrays.sort(sorted);
        return sorted.length == 0
                ? new Latency(0, 0, 0, 0, 0)
                : new Latency(at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99), at(sorted, 0.999), at(sorted, 1));
    }

    private static double at(double[] sorted, double part) {
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
}
