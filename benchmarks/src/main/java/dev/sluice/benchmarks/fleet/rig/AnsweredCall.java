package dev.sluice.benchmarks.fleet.rig;

/**
 * A call that was made.
 *
 * @param begunNanos when, from the start of the play
 * @param endedNanos when it was answered
 */
public record AnsweredCall(PlannedCall planned, long begunNanos, long endedNanos, boolean admitted) {

    /** From the call's start to the answer. */
    public double micros() {
        return (endedNanos - begunNanos) / 1e3;
    }

    public double lateMillis() {
        return (begunNanos - planned.dueNanos()) / 1e6;
    }
}
