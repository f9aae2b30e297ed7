package dev.sluice.internal.limiter.counter;

/** A span of time. Windows of one limit share a span if they begin at the same time. */
public record Span(long start, long end) {

    boolean contains(long millis) {
        return start <= millis && millis < end;
    }
}
