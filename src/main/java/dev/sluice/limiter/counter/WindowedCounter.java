package dev.sluice.limiter.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Counts in one window after the other, in one frame after the other of windows that slide, or in one window that lasts
 * for ever. The current window is replaced by compare-and-set. A call that still holds permits of the previous window
 * when the next one begins is counted in the previous one, where its time belongs; a frame, whose count the next one
 * reads, is closed first, and such a call counts in the next.
 */
public abstract class WindowedCounter<W extends Window> extends Counter {

    private static final VarHandle WINDOW = FieldHandles.of(MethodHandles.lookup(), "window", Window.class);

    /** The current one; {@code null} once the counter is retired. */
    private volatile @Nullable W window;

    protected WindowedCounter(CounterFamily family, Object values) {
        super(family, values);
    }

    /** One that goes on where another ends. */
    protected WindowedCounter(CounterFamily family, Counter before) {
        super(family, before);
    }

    /** Begins to count; before any call does. */
    protected final void begin(W first) {
        window = first;
    }

    /**
     * The window of that moment.
     *
     * @param last that it comes after; {@code null} if there is none that matters
     */
    protected abstract W newWindow(long nowMillis, @Nullable W last);

    /** Another window has taken the place of this one. */
    protected void replaced(W last) {}

    @Override
    public @Nullable Pool at(long nowMillis) {
        while (true) {
            W current = window;
            if (current == null || serves(current, nowMillis)) {
                return current;
            }
            W next = next(current, nowMillis);
            if (WINDOW.compareAndSet(this, current, next)) {
                replaced(current);
                return next;
            }
        }
    }

    /**
     * A window also serves the time before it: a call that is late, or a clock that steps back, is counted in the
     * window that has begun, which harms nobody. One that is closed serves nobody: the next one does.
     */
    private boolean serves(W current, long nowMillis) {
        return nowMillis < current.end && !isMistaken(current, nowMillis) && !current.permits.isClosed();
    }

    /**
     * Only where the clock itself, and not just this call, has gone back by more than a period was the window a
     * mistake, and callers would wait long for its end.
     */
    private boolean isMistaken(W current, long nowMillis) {
        long earliest = current.start - family.compiledLimit.lengthMillis * Math.max(1, family.compiledLimit.frames);
        return nowMillis < earliest && family.clockMillis.getAsLong() < earliest;
    }

    private W next(W current, long nowMillis) {
        if (family.compiledLimit.frames > 0) {
            current.permits.close();
        }
        return isMistaken(current, nowMillis)
                ? newWindow(nowMillis, null)
                : newWindow(Math.max(nowMillis, current.end), current);
    }

    @Override
    public final boolean isWorthKeeping(long nowMillis) {
        W current = window;
        return current != null && current.isMostlySpent(nowMillis);
    }

    @Override
    public final boolean retireIfIdle(long nowMillis) {
        W current = window;
        if (current != null && current.isIdle(nowMillis) && WINDOW.compareAndSet(this, current, null)) {
            current.close();
        }
        return window == null;
    }

    @Override
    public final void retire() {
        W last = takeOut();
        if (last != null) {
            last.close();
        }
    }

    /** Retires the counter, but leaves its last window open; {@code null} if it was retired before. */
    @SuppressWarnings("unchecked") // nothing but a W was ever written there
    protected final @Nullable W takeOut() {
        return (W) WINDOW.getAndSet(this, null);
    }

    @Override
    public final boolean isRetired() {
        return window == null;
    }
}
