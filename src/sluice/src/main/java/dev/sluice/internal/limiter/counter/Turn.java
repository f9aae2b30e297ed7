package dev.sluice.internal.limiter.counter;

/** When this many permits of a queue may be used. Immutable. */
public record Turn(long atMillis, long permits) {}
