package dev.sluice.limiter.counter;

/**
 * What a call did not find.
 *
 * @param pool where
 * @param cost what the call takes
 * @param need what has to be there for the call to pass
 * @param sufficesAlone whether the call passes if it gets this
 */
public record Shortage(Pool pool, long cost, long need, boolean sufficesAlone) {}
