package dev.sluice.limiter.counter;

/**
 * What a call lacks in one pool.
 *
 * @param pool the pool
 * @param cost what the call takes
 * @param need what must be available for the call to pass
 * @param sufficesAlone whether the call passes once it gets this
 */
public record Shortage(Pool pool, long cost, long need, boolean sufficesAlone) {}
