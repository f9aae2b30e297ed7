package dev.sluice.benchmarks.fleet.rig;

/**
 * A call that is to be made.
 *
 * @param dueNanos when, from the start of the play; below zero before what is measured
 * @param caller the number of its caller
 * @param instance the number of the instance that it comes to
 */
public record PlannedCall(long dueNanos, int caller, int instance) {}
