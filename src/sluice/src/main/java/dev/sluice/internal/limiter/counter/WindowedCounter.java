package dev.sluice.internal.limiter.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Counts in consecutive windows, in frames of a sliding window, or in one window for all time. Compare-and-set replaces
 * the current window. A call that has borrowed from the old window when the next one begins still counts in the old
 * one, where its time belongs. A frame is closed before the next one begins, because the next frame reads its count; a
 * call that is too late counts in the next frame. Thread-safe.
 */
public abstract class WindowedCounter<W extends Window> extends Counter {

    private static final VarHandle WINDOW = FieldHandles.of(MethodHandles.lookup(), "window", Window.class);

    /** The current window; {@code null} once the counter is retired. */
    private volatile @Nullable W window;

    protected WindowedCounter(CounterFamily family, Object values) {
        super(family, values);
    }

    /** A counter that continues another one. */
    protected WindowedCounter(CounterFamily family, Counter before) {
        super(family, before);
    }

    /** Sets the first window, before any call. */
    protected final void setFirst(W first) {
        window = first;
    }

    /**
     * Creates the window for this time.
     *
     * @param last the previous window, or the numbers that are kept of this one; {@code null} if no earlier window
     *     matters
     */
    protected abstract OpenWindow newWindow(long nowMillis, @Nullable W last);

    /** Called when another window has replaced this one. */
    protected void replaced(W last) {}

    @Override
    public @Nullable Pool at(long nowMillis) {
        while (true) {
            W current = window;
            if (current == null) {
                return null;
            }
            if (current instanceof OpenWindow open && serves(open, nowMillis)) {
                return open;
            }
            OpenWindow next = next(current, nowMillis);
            if (WINDOW.compareAndSet(this, current, next)) {
                replaced(current);
                return next;
            }
        }
    }

    /**
     * Whether the current window serves this time. It also serves earlier times: a late call, or a call after the clock
     * stepped back, counts in the current window, which does no harm. A closed window serves no call.
     */
    private boolean serves(OpenWindow current, long nowMillis) {
        return nowMillis < current.end() && !isFromWrongClock(current, nowMillis) && !current.permits.isClosed();
    }

    /**
     * Whether the window lies more than a period in the future. The clock itself is asked, and not only this call's
     * time. If so, the clock was wrong when the window began, and callers would wait long for its end.
     */
    private boolean isFromWrongClock(Window current, long nowMillis) {
        long earliest = current.start() - family.compiledLimit.lengthMillis * Math.max(1, family.compiledLimit.frames);
        return nowMillis < earliest && family.clockMillis.getAsLong() < earliest;
    }

    private OpenWindow next(W current, long nowMillis) {
        if (isFromWrongClock(current, nowMillis)) {
            closeFrame(current);
            return newWindow(nowMillis, null);
        }
        if (!(current instanceof OpenWindow)) {
            return newWindow(Math.max(nowMillis, current.start()), current); // it is opened again
        }
        closeFrame(current);
        return newWindow(Math.max(nowMillis, current.end()), current);
    }

    private void closeFrame(W current) {
        if (family.compiledLimit.frames > 0 && current instanceof OpenWindow open) {
            open.permits.close();
        }
    }

    @Override
    public final boolean isWorthKeeping(long nowMillis) {
        W current = window;
        return current != null && current.isMostlyUsed(nowMillis);
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

    /** Replaces the current window by another; returns whether it was still the current one. */
    protected final boolean replace(W current, W other) {
        return WINDOW.compareAndSet(this, current, other);
    }

    /** The window that calls find, or the numbers that are kept of it; {@code null} once the counter is retired. */
    public final @Nullable W current() {
        return window;
    }

    /** Retires the counter but leaves its last window open; returns {@code null} if it was already retired. */
    @SuppressWarnings("unchecked") // nothing but a W was ever written there
    protected final @Nullable W takeOut() {
        return (W) WINDOW.getAndSet(this, null);
    }

    @Override
    public final boolean isRetired() {
        return window == null;
    }
}
