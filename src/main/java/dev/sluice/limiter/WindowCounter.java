package dev.sluice.limiter;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.algorithm.FixedWindow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts one caller's calls in one tier, window after window. Safe for any number of threads: the current window is replaced by
 * compare-and-set, and its permits see to themselves. A call that still holds the previous window when the next one begins is
 * counted in the previous one, where its time belongs.
 */
final class WindowCounter {

    private static final VarHandle WINDOW;

    static {
        try {
            WINDOW = MethodHandles.lookup().findVarHandle(WindowCounter.class, "window", Window.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final CounterFamily family;
    final List<Subject> subjects;
    /** Gives the order in which permits are held; unique in the limiter. */
    final long number;

    private final Sharing sharing;
    private final long periodMillis;
    private volatile @Nullable Window window;
    private volatile @Nullable Window ahead;

    /** Calls a millisecond, as expected by the background, which alone uses it. */
    double rate;

    private WindowCounter(CounterFamily family, Object values, long number, Sharing sharing) {
        this.family = family;
        this.subjects = family.subjects(values);
        this.number = number;
        this.sharing = sharing;
        this.periodMillis = family.tier().limit().period().toMillis();
    }

    static WindowCounter open(CounterFamily family, Object values, long number, Sharing sharing) {
        WindowCounter counter = new WindowCounter(family, values, number, sharing);
        Window first = counter.newWindow(sharing.nowMillis());
        counter.window = first;
        sharing.born(first);
        return counter;
    }

    /** The window that a call at that moment is counted in, {@code null} if this counter was retired and a new one must be looked up. */
    @Nullable Window at(long nowMillis) {
        while (true) {
            Window current = window;
            if (current == null || serves(current, nowMillis)) {
                return current;
            }
            Window ready = ahead;
            boolean isReady = ready != null && ready.start <= nowMillis && nowMillis < ready.end;
            Window next = ready != null && isReady ? ready : newWindow(nowMillis);
            if (WINDOW.compareAndSet(this, current, next)) {
                if (!isReady) {
                    sharing.born(next);
                }
                return next;
            }
        }
    }

    /**
     * A window also serves the time before it: a call that is late, or a clock that steps back, is counted in the window that has
     * begun, which harms nobody. Only where the clock itself, and not just this call, has gone back by more than a period was
     * the window a mistake, and callers would wait long for its end.
     */
    private boolean serves(Window current, long nowMillis) {
        return nowMillis < current.end
                && (nowMillis >= current.start - periodMillis || sharing.nowMillis() >= current.start - periodMillis);
    }

    private Window newWindow(long nowMillis) {
        long start = FixedWindow.startOf(nowMillis, periodMillis);
        return new Window(this, start, start + periodMillis, sharing.opening(family.tier()), sharing.isShared());
    }

    /**
     * Opens the window after the current one before it begins, so that a share of it is in hand when it does; {@code null} if
     * it is too early, not worth it, or done already. The background's alone.
     */
    @Nullable Window openAhead(Window current, long nowMillis) {
        long everyMillis = family.tier().sync().every().toMillis();
        boolean worthIt = current == window && rate * everyMillis >= 1 && (ahead == null || ahead.start < current.end);
        if (!worthIt || current.end - nowMillis > everyMillis) {
            return null;
        }
        Window next = newWindow(current.end);
        ahead = next;
        return next;
    }

    long threshold() {
        return family.tier().limit().threshold();
    }

    CounterKey key(Window counted) {
        return family.key(subjects, counted.start, counted.end);
    }

    /** The name, for all instances, of the counter that a call at that moment is counted in. */
    CounterKey keyAt(long nowMillis) {
        long start = FixedWindow.startOf(nowMillis, periodMillis);
        return family.key(subjects, start, start + periodMillis);
    }

    /** Whether less than half of the current window's permits are left. */
    boolean mostlySpent() {
        Window current = window;
        return current != null && current.leftInProportion() < 0.5;
    }

    /** Retires this counter if a whole period has passed since its last window ended; whether it did. */
    boolean retireIfIdle(long nowMillis) {
        Window last = window;
        if (last == null || last.end + periodMillis > nowMillis || !WINDOW.compareAndSet(this, last, null)) {
            return false;
        }
        last.permits.close();
        return true;
    }

    /** From now on this counter admits nobody. */
    void retire() {
        Window last = (Window) WINDOW.getAndSet(this, null);
        if (last != null) {
            last.permits.close();
        }
    }

    boolean isRetired() {
        return window == null;
    }
}
