package dev.sluice.benchmarks.fleet.rig;

/**
 * A measured call.
 *
 * @param begunNanos when the call began, relative to the start of the play
 * @param endedNanos when the decision was known, relative to the start of the play
 */
public record MeasuredCall(PlannedCall planned, long begunNanos, long endedNanos, boolean admitted) {

    /** The time from the start of the call to the decision. */
    public double micros() {
        return (endedNanos - begunNanos) / 1e3;
    }

    public double lateMillis() {
        return (begunNanos - planned.dueNanos()) / 1e6;
    }
}
