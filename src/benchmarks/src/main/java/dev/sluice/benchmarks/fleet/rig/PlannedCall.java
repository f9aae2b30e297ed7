package dev.sluice.benchmarks.fleet.rig;

/**
 * A call to make at a given time.
 *
 * @param dueNanos when the call is due, relative to the start of the play; negative before the measured time
 * @param caller the number of the caller
 * @param instance the number of the instance that receives the call
 */
public record PlannedCall(long dueNanos, int caller, int instance) {}
