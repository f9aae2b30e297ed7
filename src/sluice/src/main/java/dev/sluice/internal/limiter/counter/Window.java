package dev.sluice.internal.limiter.counter;

/**
 * One span of time in one counter: a window, a frame of a sliding window, or an endless span. Calls take permits from
 * it while it is an {@link OpenWindow}. Otherwise, it only stores the few numbers that are needed to open it again.
 * Thread-safe.
 */
public abstract class Window {

    /** The end time of an endless span. Adding a duration to it does not overflow. */
    public static final long FOR_EVER = Long.MAX_VALUE / 4;

    public final Counter counter;
    private final Span span;

    protected Window(Counter counter, Span span) {
        this.counter = counter;
        this.span = span;
    }

    public final Span span() {
        return span;
    }

    public final long start() {
        return span.start();
    }

    public final long end() {
        return span.end();
    }

    /** Closes the window when its counter is retired. No permits can be taken from then on. */
    public abstract void close();

    /** Whether less than half of the threshold remains. */
    public abstract boolean isMostlyUsed(long nowMillis);

    /** Whether the calls that were counted in this window no longer matter. */
    public boolean isIdle(long nowMillis) {
        return nowMillis >= span.end() + counter.family.tier.limit().period().toMillis();
    }
}
