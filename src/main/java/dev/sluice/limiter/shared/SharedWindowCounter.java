package dev.sluice.limiter.shared;

import dev.sluice.algorithm.FixedWindow;
import dev.sluice.algorithm.SlidingWindow;
import dev.sluice.limiter.counter.CounterFamily;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A counter that instances share, window after window, or frame after frame of windows that slide. The current window
 * is replaced by compare-and-set. A call that still holds permits of the previous window when the next one begins is
 * counted in the previous one, where its time belongs; a frame, whose count the next one reads, is closed first, and
 * such a call counts in the next.
 */
final class SharedWindowCounter extends SharedCounter {

    private static final VarHandle WINDOW;

    static {
        try {
            WINDOW = MethodHandles.lookup().findVarHandle(SharedWindowCounter.class, "window", SharedPool.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable SharedPool window;
    /** How it is called here, window after window. The background's alone. */
    private @Nullable CallRate rate;
    /** What the fleet has used of frames; none where windows do not slide. */
    private final FrameTotals totals;
    /** What this instance has used of them. */
    private final FrameTotals own;

    SharedWindowCounter(CounterFamily family, Object values, Background background) {
        super(family, values, background);
        long now = background.nowMillis();
        this.totals = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
        this.own = FrameTotals.of(family.compiledLimit.frames, family.compiledLimit.lengthMillis);
        this.window = newWindow(now);
    }

    @Override
    @Nullable public SharedPool at(long nowMillis) {
        while (true) {
            SharedPool current = window;
            if (current == null || serves(current, nowMillis)) {
                return current;
            }
            boolean slides = family.compiledLimit.frames > 0;
            if (slides) {
                current.permits.close();
            }
            long moment = isMistaken(current, nowMillis) ? nowMillis : Math.max(nowMillis, current.end);
            SharedPool next = newWindow(moment);
            if (WINDOW.compareAndSet(this, current, next)) {
                if (current.attachment() != null) {
                    background.attend(current);
                }
                return next;
            }
        }
    }

    /**
     * A window also serves the time before it: a call that is late, or a clock that steps back, is counted in the
     * window that has begun, which harms nobody.
     */
    private boolean serves(SharedPool current, long nowMillis) {
        return nowMillis < current.end
                && !isMistaken(current, nowMillis)
                && (family.compiledLimit.frames == 0 || !current.permits.isClosed());
    }

    /**
     * Only where the clock itself, and not just this call, has gone back by more than a period was the window a
     * mistake, and callers would wait long for its end.
     */
    private boolean isMistaken(SharedPool current, long nowMillis) {
        long earliest = current.start - family.compiledLimit.lengthMillis * Math.max(1, family.compiledLimit.frames);
        return nowMillis < earliest && background.nowMillis() < earliest;
    }

    private SharedPool newWindow(long nowMillis) {
        long length = family.compiledLimit.lengthMillis;
        long start = FixedWindow.startOf(nowMillis, length);
        long[] before = totals.before(start);
        long left = most() - SlidingWindow.weightOfPast(before, nowMillis - start, length);
        long lent = background.lentAtFirst(family.tier, Math.max(0, left));
        return new SharedPool(this, start, start + length, lent, background.phaseAtFirst(), before);
    }

    @Override
    public CallRate rate(long nowNanos) {
        CallRate known = rate == null ? super.rate(nowNanos) : rate;
        rate = known;
        return known;
    }

    @Override
    public void learnFrame(long start, long total) {
        if (family.compiledLimit.frames > 0) {
            totals.learn(start, total);
        }
    }

    @Override
    public void learnOwnFrame(long start, long used) {
        if (family.compiledLimit.frames > 0) {
            own.learn(start, used);
        }
    }

    @Override
    public long ownFrame(long start) {
        return own.at(start);
    }

    @Override
    public boolean isWorthKeeping(long nowMillis) {
        SharedPool current = window;
        return current != null && current.isMostlySpent(nowMillis);
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        SharedPool last = window;
        if (last == null || !last.isIdle(nowMillis) || !WINDOW.compareAndSet(this, last, null)) {
            return false;
        }
        last.close();
        return true;
    }

    @Override
    public void retire() {
        SharedPool last = (SharedPool) WINDOW.getAndSet(this, null);
        if (last != null) {
            last.close();
        }
    }

    @Override
    public boolean isRetired() {
        return window == null;
    }
}
