package dev.sluice.internal.limiter.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A counter with consecutive windows, with frames of a sliding window, or with a single endless window. The current
 * window is replaced by compare-and-set. If a call has borrowed from a window when the next window begins, the call is
 * still counted in the old window, because the time of the call belongs to that window. A frame, however, is closed
 * before the next frame begins, because the next frame reads its count. Therefore, a late call is counted in the next
 * frame. Thread-safe.
 */
public abstract class WindowedCounter<W extends Window> extends Counter {

    private static final VarHandle WINDOW = FieldHandles.of(MethodHandles.lookup(), "window", Window.class);

    /** The current window; {@code null} once the counter is retired. */
    private volatile @Nullable W window;

    protected WindowedCounter(CounterFamily family, Object values) {
        super(family, values);
    }

    /** Creates a counter that continues the given counter. */
    protected WindowedCounter(CounterFamily family, Counter before) {
        super(family, before);
    }

    /** Sets the first window, before the first call. */
    protected final void setFirst(W first) {
        window = first;
    }

    /**
     * Creates the window for the given time.
     *
     * @param last the previous window, or the stored numbers of this window; {@code null} if no earlier window matters
     */
    protected abstract OpenWindow newWindow(long nowMillis, @Nullable W last);

    /** This method is called when a new window has replaced the given window. */
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
     * Whether the current window serves calls at the given time. It also serves earlier times, because late calls, and
     * calls after the clock was set back, are counted in the current window. This does no harm. A closed window serves
     * no calls.
     */
    private boolean serves(OpenWindow current, long nowMillis) {
        return nowMillis < current.end() && !isFromWrongClock(current, nowMillis) && !current.permits.isClosed();
    }

    /**
     * Whether the window lies more than a period in the future. If so, the clock was wrong when the window began, and
     * callers would wait a long time for its end. This method also reads the clock, because the time of the call alone
     * is not reliable.
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
            return newWindow(Math.max(nowMillis, current.start()), current); // opens it again
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

    /**
     * Replaces the current window with the given window. Returns whether {@code current} was still the current window.
     */
    protected final boolean replace(W current, W other) {
        return WINDOW.compareAndSet(this, current, other);
    }

    /**
     * Returns the current window, which is either open or only stored as numbers; {@code null} if the counter is
     * retired.
     */
    public final @Nullable W current() {
        return window;
    }

    /**
     * Retires the counter but leaves its last window open. Returns that window; {@code null} if the counter was already
     * retired.
     */
    @SuppressWarnings("unchecked") // only a W is ever written there
    protected final @Nullable W takeOut() {
        return (W) WINDOW.getAndSet(this, null);
    }

    @Override
    public final boolean isRetired() {
        return window == null;
    }
}
