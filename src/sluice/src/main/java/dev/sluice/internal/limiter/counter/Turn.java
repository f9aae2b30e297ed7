package dev.sluice.internal.limiter.counter;

/** A turn in a queue: the time from which this number of permits may be used. Immutable. */
public record Turn(long atMillis, long permits) {}
