package dev.sluice.benchmarks.fleet.rig;

/**
 * A call that was made.
 *
 * @param begunNanos when it began, from the start of the play
 * @param endedNanos when it was answered, from the start of the play
 */
public record MeasuredCall(PlannedCall planned, long begunNanos, long endedNanos, boolean admitted) {

    /** The time from the start of the call to its answer. */
    public double micros() {
        return (endedNanos - begunNanos) / 1e3;
    }

    public double lateMillis() {
        return (begunNanos - planned.dueNanos()) / 1e6;
    }
}
