package dev.sluice.internal.limiter.counter;

/** A span of time. Windows of one limit that begin at the same time share a span. */
public record Span(long start, long end) {

    boolean contains(long millis) {
        return start <= millis && millis < end;
    }
}
