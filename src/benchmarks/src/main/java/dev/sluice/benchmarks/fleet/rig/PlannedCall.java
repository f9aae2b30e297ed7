package dev.sluice.benchmarks.fleet.rig;

/**
 * A planned call.
 *
 * @param dueNanos when the call is due, relative to the start of the play; negative before the measured time
 * @param caller the number of its caller
 * @param instance the number of the instance that receives it
 */
public record PlannedCall(long dueNanos, int caller, int instance) {}
