package dev.sluice.internal.limiter.counter;

/** The time when this number of permits of a queue may be used. Immutable. */
public record Turn(long atMillis, long permits) {}
