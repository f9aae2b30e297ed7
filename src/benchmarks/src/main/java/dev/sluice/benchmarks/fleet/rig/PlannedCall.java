package dev.sluice.benchmarks.fleet.rig;

/**
 * A call to be made.
 *
 * @param dueNanos when it is due, from the start of the play; negative before the measured time
 * @param caller the number of its caller
 * @param instance the number of the instance that it goes to
 */
public record PlannedCall(long dueNanos, int caller, int instance) {}
