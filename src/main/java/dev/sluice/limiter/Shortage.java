package dev.sluice.limiter;

/**
 * What a call did not find.
 *
 * @param pool where
 * @param cost what the call takes
 * @param need what has to be there for the call to pass
 * @param isAll whether the call passes if it gets this
 */
record Shortage(Pool pool, long cost, long need, boolean isAll) {}
