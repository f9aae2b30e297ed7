package dev.sluice.limiter;

import dev.sluice.algorithm.FixedWindow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts window after window where instances share them, or frame after frame of windows that slide. The current window is replaced by compare-and-set, and its
 * permits see to themselves. A call that still holds the previous window when the next one begins is counted in the previous one, where
 * its time belongs; a frame, whose count the next one reads, is closed first, and such a call counts in the next.
 */
final class WindowCounter extends Counter {

    private static final VarHandle WINDOW;

    static {
        try {
            WINDOW = MethodHandles.lookup().findVarHandle(WindowCounter.class, "window", Window.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Window window;
    private volatile @Nullable Window ahead;
    private final @Nullable FrameTotals totals;
    /** Only where it is shared. */
    private final @Nullable Habits habits;

    private WindowCounter(CounterFamily family, Object values) {
        super(family, values);
        this.habits = family.sharing.isShared() ? new Habits() : null;
        long everyMillis = family.tier.sync().every().toMillis();
        this.totals = family.measure.frames == 0 || !family.sharing.isShared()
                ? null
                : new FrameTotals(family.measure.frames, family.measure.lengthMillis, 2 * everyMillis);
    }

    static WindowCounter begin(CounterFamily family, Object values) {
        WindowCounter counter = new WindowCounter(family, values);
        Window first = counter.newWindow(family.sharing.nowMillis(), null);
        counter.window = first;
        family.sharing.born(first);
        return counter;
    }

    @Override
    @Nullable Window at(long nowMillis) {
        while (true) {
            Window current = window;
            if (current == null || serves(current, nowMillis)) {
                return current;
            }
            Window next = isMistaken(current, nowMillis) ? newWindow(nowMillis, null) : next(current, nowMillis);
            if (WINDOW.compareAndSet(this, current, next)) {
                if (next != ahead) {
                    family.sharing.born(next);
                }
                return next;
            }
        }
    }

    /**
     * A window also serves the time before it: a call that is late, or a clock that steps back, is counted in the window that has
     * begun, which harms nobody.
     */
    private boolean serves(Window current, long nowMillis) {
        return nowMillis < current.end
                && !isMistaken(current, nowMillis)
                && (family.measure.frames == 0 || !current.permits.isClosed());
    }

    /**
     * Only where the clock itself, and not just this call, has gone back by more than a period was the window a mistake, and
     * callers would wait long for its end.
     */
    private boolean isMistaken(Window current, long nowMillis) {
        long earliest = current.start - family.measure.lengthMillis * Math.max(1, family.measure.frames);
        return nowMillis < earliest && family.sharing.nowMillis() < earliest;
    }

    private Window next(Window current, long nowMillis) {
        if (family.measure.frames > 0) {
            current.close();
        }
        long moment = Math.max(nowMillis, current.end);
        Window ready = ahead;
        return ready != null && ready.start <= moment && moment < ready.end ? ready : newWindow(moment, current);
    }

    private Window newWindow(long nowMillis, @Nullable Window last) {
        long start = FixedWindow.startOf(nowMillis, family.measure.lengthMillis);
        long opening = openingAfter(last, start);
        Past past = family.measure.frames == 0
                ? null
                : Past.before(start, family.measure.frames, family.measure.lengthMillis, opening, last);
        return new Window(this, start, start + family.measure.lengthMillis, opening, family.sharing.isShared(), past);
    }

    /** Where windows slide, a frame lends no more in advance than the one before, which is closed, has left of the limit. */
    private long openingAfter(@Nullable Window last, long start) {
        long opening = family.sharing.opening(family.tier);
        return last == null || last.shared == null || family.measure.frames == 0
                ? opening
                : Math.min(opening, last.rest(last.permits.number(), start));
    }

    @Override
    boolean lacksPastOf(Window frame) {
        return totals != null && !totals.knowsPastOf(frame.start);
    }

    @Override
    List<Long> framesLacking(Window frame, long nowMillis) {
        return totals == null ? List.of() : totals.lacking(frame.start, nowMillis);
    }

    @Override
    long[] framesBefore(Window frame) {
        return totals == null ? new long[0] : totals.before(frame.start);
    }

    @Override
    void learnFrame(long start, long total, long nowMillis) {
        if (totals != null) {
            totals.heard(start, total, nowMillis);
        }
    }

    @Override
    void useFrame(long start, long used) {
        if (totals != null) {
            totals.used(start, used);
        }
    }

    @Override
    @Nullable Window openAhead(Window current, long nowMillis) {
        if (family.measure.frames > 0) {
            return null;
        }
        long everyMillis = family.tier.sync().every().toMillis();
        if (current != window || current.end - nowMillis > everyMillis) {
            return null;
        }
        habits().noteCalled(current.start, family.measure.lengthMillis);
        Window opened = ahead;
        boolean openedAlready = opened != null && opened.start >= current.end;
        if (openedAlready || !habits().expectsCallWithin(everyMillis)) {
            return null;
        }
        Window next = newWindow(current.end, current);
        ahead = next;
        return next;
    }

    @Override
    Habits habits() {
        return Objects.requireNonNull(habits, "a shared counter");
    }

    @Override
    boolean mostlySpent(long nowMillis) {
        Window current = window;
        return current != null && current.isMostlySpent(nowMillis);
    }

    @Override
    boolean retireIfIdle(long nowMillis) {
        Window last = window;
        return last != null && last.closeIfIdle(nowMillis) && WINDOW.compareAndSet(this, last, null);
    }

    @Override
    void retire() {
        Window last = (Window) WINDOW.getAndSet(this, null);
        if (last != null) {
            last.close();
        }
    }

    @Override
    boolean isRetired() {
        return window == null;
    }
}
