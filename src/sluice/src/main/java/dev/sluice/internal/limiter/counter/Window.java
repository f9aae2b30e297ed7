package dev.sluice.internal.limiter.counter;

import dev.sluice.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one counter for one span of time: a window, a frame of a sliding window, or all time. Calls take from
 * its {@link Permits}. Thread-safe.
 */
public abstract class Window implements Pool {

    /** The end of a span without an end. Sums with it do not overflow. */
    public static final long FOR_EVER = Long.MAX_VALUE / 4;

    public final Counter counter;
    private final Span span;
    public final Permits permits;

    protected Window(Counter counter, Span span, Permits permits) {
        this.counter = counter;
        this.span = span;
        this.permits = permits;
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

    @Override
    public final CounterFamily family() {
        return counter.family;
    }

    @Override
    public final List<Subject> subjects() {
        return counter.subjects;
    }

    @Override
    public final @Nullable Pool at(long nowMillis) {
        return counter.at(nowMillis);
    }

    /**
     * Permits that are returned to an old window do not help the current one. Those returned to an old frame do, but
     * {@code Retry-After} ignores them.
     */
    @Override
    public final long windowNumber(long state) {
        return span.end() == FOR_EVER ? 0 : span.start() / counter.family.compiledLimit.lengthMillis;
    }

    @Override
    public final void addRefundable(long change, long state) {
        counter.refundable().change(windowNumber(state), change);
    }

    @Override
    public final long refundable(long nowMillis) {
        return counter.refundableIn(windowNumber(state(nowMillis)));
    }

    @Override
    public final void keep() {
        permits.keep();
    }

    @Override
    public boolean hasUndecidedCalls() {
        return permits.hasUndecidedCalls();
    }

    /**
     * Closes this window: nothing can be taken from then on. Calls can still keep or release what they have borrowed.
     */
    public void close() {
        permits.close();
    }

    /**
     * Whether this only keeps what is needed to open the window again. It then serves no call, and its permits are
     * closed.
     */
    public boolean isDormant() {
        return false;
    }

    /** Whether nothing that was counted here matters any more. */
    public boolean isIdle(long nowMillis) {
        return nowMillis >= span.end() + counter.family.tier.limit().period().toMillis();
    }
}
