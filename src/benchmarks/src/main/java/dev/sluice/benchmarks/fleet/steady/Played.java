package dev.sluice.benchmarks.fleet.steady;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * The results of a load's calls. Not thread-safe: each thread only writes the results of its own calls, and the results
 * are read after all threads have ended.
 */
final class Played {

    final Arrivals arrivals;
    /** The start of the first window, in nano time. */
    final long startNanos;

    /** Calls due before this time are not played. */
    final long openedNanos;

    private final int[] lateMicros;
    private final int[] tookNanos;
    private final boolean[] admitted;

    private Played(Arrivals arrivals, long startNanos, long openedNanos) {
        this.arrivals = arrivals;
        this.startNanos = startNanos;
        this.openedNanos = openedNanos;
        this.lateMicros = new int[arrivals.size];
        this.tookNanos = new int[arrivals.size];
        this.admitted = new boolean[arrivals.size];
        Arrays.fill(tookNanos, -1);
    }

    /**
     * Prepares to record the results of the given calls. The first window begins at the given time, in milliseconds
     * since 1970.
     */
    static Played from(Arrivals arrivals, long startMillis) {
        long opened = System.nanoTime();
        long sinceMicros = ChronoUnit.MICROS.between(Instant.ofEpochMilli(startMillis), Instant.now());
        return new Played(arrivals, opened - sinceMicros * 1_000, opened);
    }

    void note(int call, long lateNanos, long took, boolean passed) {
        lateMicros[call] = (int) (lateNanos / 1_000);
        admitted[call] = passed;
        tookNanos[call] = (int) Math.min(took, Integer.MAX_VALUE);
    }

    /** Whether the call is due in one of the measured windows, after the preparation. */
    boolean counts(int call) {
        return arrivals.nanos(call) >= 0 && startNanos + arrivals.nanos(call) >= openedNanos;
    }

    /** Whether the call is measured and began before the end of the play. */
    boolean begun(int call) {
        return counts(call) && tookNanos[call] >= 0;
    }

    /** Whether the call was made, either in the measured windows or before them. */
    boolean hasAnswer(int call) {
        return tookNanos[call] >= 0;
    }

    boolean admitted(int call) {
        return admitted[call];
    }

    /** The time between the start of the call and the decision. */
    double micros(int call) {
        return tookNanos[call] / 1e3;
    }

    /** The time from when the call was due to the decision. */
    double microsSinceDue(int call) {
        return lateMicros[call] + micros(call);
    }

    /** The number of the window in which the call began, assuming that the clock was ahead by the given time. */
    int windowAtBegin(int call, double furtherMillis) {
        return window(begunMillis(call) + furtherMillis);
    }

    /** The number of the window in which the decision was made, assuming that the clock was ahead by the given time. */
    int windowAtEnd(int call, double furtherMillis) {
        return window(begunMillis(call) + micros(call) / 1e3 + furtherMillis);
    }

    /** The time at which the call began, relative to the start of the first window. */
    double begunMillis(int call) {
        return (arrivals.nanos(call) / 1e3 + lateMicros[call]) / 1e3;
    }

    private static int window(double millis) {
        return (int) Math.floor(millis / Article.PERIOD_MILLIS);
    }
}
