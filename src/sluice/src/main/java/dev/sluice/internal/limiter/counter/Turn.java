package dev.sluice.internal.limiter.counter;

/** A turn in a queue. From this time on, the given number of permits may be used. Immutable. */
public record Turn(long atMillis, long permits) {}
