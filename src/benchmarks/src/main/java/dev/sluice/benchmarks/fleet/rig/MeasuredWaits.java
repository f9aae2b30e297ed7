package dev.sluice.benchmarks.fleet.rig;

import java.util.Arrays;

/**
 * The calls that waited for the network or for another thread.
 *
 * @param percent the percentage of all calls that waited
 * @param p99Millis the 99th percentile of the times that these calls took
 */
public record MeasuredWaits(double percent, double p99Millis) {

    /** The duration above which a call is considered to have waited. */
    private static final double WAIT_MICROS = 500;

    public static MeasuredWaits of(double[] callMicros) {
        double[] waits =
                Arrays.stream(callMicros).filter(micros -> micros > WAIT_MICROS).toArray();
        double percent = callMicros.length == 0 ? 0 : 100.0 * waits.length / callMicros.length;
        return new MeasuredWaits(percent, Latency.of(waits).p99() / 1e3);
    }
}
