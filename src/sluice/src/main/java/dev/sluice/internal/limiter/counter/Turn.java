package dev.sluice.internal.limiter.counter;

/** A turn in a queue. It defines from which time the given number of permits may be used. Immutable. */
public record Turn(long atMillis, long permits) {}
