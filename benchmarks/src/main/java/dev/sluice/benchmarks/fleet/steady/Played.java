package dev.sluice.benchmarks.fleet.steady;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/** What became of each call of a load. Written by many threads, each its own calls; read after they have ended. */
final class Played {

    final Arrivals arrivals;
    /** When the first window begins, in nano time. */
    final long startNanos;

    /** Calls that were due before this are not played. */
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

    /** Opens the notes for arrivals whose first window begins at that moment, in milliseconds since 1970. */
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

    /** Whether the call was to come in the windows that are measured, and after all was ready. */
    boolean counts(int call) {
        return arrivals.nanos(call) >= 0 && startNanos + arrivals.nanos(call) >= openedNanos;
    }

    /** Whether the call counts, and a thread was free for it before the end. */
    boolean begun(int call) {
        return counts(call) && tookNanos[call] >= 0;
    }

    /** Whether the call was made at all, be it before the windows that are measured. */
    boolean answered(int call) {
        return tookNanos[call] >= 0;
    }

    boolean admitted(int call) {
        return admitted[call];
    }

    /** From the call's start to the answer. */
    double micros(int call) {
        return tookNanos[call] / 1e3;
    }

    /** From the moment the call was due to the answer. */
    double microsSinceDue(int call) {
        return lateMicros[call] + micros(call);
    }

    /** The window, from the start, in which the call began, if the clock were so much further. */
    int windowAtBegin(int call, double furtherMillis) {
        return window(begunMillis(call) + furtherMillis);
    }

    /** The window in which it was answered. */
    int windowAtEnd(int call, double furtherMillis) {
        return window(begunMillis(call) + micros(call) / 1e3 + furtherMillis);
    }

    /** When the call began, from the start of the first window. */
    double begunMillis(int call) {
        return (arrivals.nanos(call) / 1e3 + lateMicros[call]) / 1e3;
    }

    private static int window(double millis) {
        return (int) Math.floor(millis / Article.PERIOD_MILLIS);
    }
}
