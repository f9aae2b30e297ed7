package dev.sluice.benchmarks.fleet.rig;

import java.util.Arrays;

/**
 * The calls that waited for the network or for another thread.
 *
 * @param percent their share of all calls
 * @param p99Millis the 99th percentile of their times
 */
public record MeasuredWaits(double percent, double p99Millis) {

    /** A call that takes longer is considered to have waited. */
    private static final double WAIT_MICROS = 500;

    public static MeasuredWaits of(double[] callMicros) {
        double[] waits =
                Arrays.stream(callMicros).filter(micros -> micros > WAIT_MICROS).toArray();
        double percent = callMicros.length == 0 ? 0 : 100.0 * waits.length / callMicros.length;
        return new MeasuredWaits(percent, Latency.of(waits).p99() / 1e3);
    }
}
