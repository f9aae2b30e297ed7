package dev.sluice.limiter.local;

import dev.sluice.algorithm.FixedWindow;
import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Permits;
import dev.sluice.limiter.counter.Pool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Counts a sliding window in this process alone, frame after frame. The current frame is replaced by compare-and-set;
 * the one before is closed first, since the next one reads its count.
 */
final class LocalSlidingWindowCounter extends Counter {

    private static final VarHandle FRAME;

    static {
        try {
            FRAME = MethodHandles.lookup().findVarHandle(LocalSlidingWindowCounter.class, "frame", LocalFrame.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable LocalFrame frame;
    /** Where a call that is under way is charged in the end. */
    private volatile @Nullable Counter successor;

    LocalSlidingWindowCounter(CounterFamily family, Object values) {
        super(family, values);
        this.frame = newFrame(family.clockMillis.getAsLong(), null);
    }

    /** One that goes on with these frames. */
    private LocalSlidingWindowCounter(CounterFamily family, LocalFrame last, LocalSlidingWindowCounter before) {
        super(family, before);
        this.frame = last.goingOnIn(this);
    }

    @Override
    @Nullable public Counter succeededBy(CounterFamily next) {
        LocalFrame last = (LocalFrame) FRAME.getAndSet(this, null);
        @Nullable Counter opened = last == null ? null : new LocalSlidingWindowCounter(next, last, this);
        successor = opened;
        return opened;
    }

    @Override
    @Nullable public Pool at(long nowMillis) {
        while (true) {
            LocalFrame current = frame;
            if (current == null) {
                Counter next = successor;
                return next == null ? null : next.at(nowMillis);
            }
            if (serves(current, nowMillis)) {
                return current;
            }
            LocalFrame next = isMistaken(current, nowMillis) ? newFrame(nowMillis, null) : next(current, nowMillis);
            if (FRAME.compareAndSet(this, current, next)) {
                return next;
            }
        }
    }

    /**
     * A frame also serves the time before it: a call that is late, or a clock that steps back, is counted in the frame
     * that has begun.
     */
    private boolean serves(LocalFrame current, long nowMillis) {
        return nowMillis < current.end && !isMistaken(current, nowMillis) && !current.permits.isClosed();
    }

    /**
     * Only where the clock itself, and not just this call, has gone back by more than a period was the frame a mistake,
     * and callers would wait long for its end.
     */
    private boolean isMistaken(LocalFrame current, long nowMillis) {
        long earliest = current.start - family.compiledLimit.lengthMillis * family.compiledLimit.frames;
        return nowMillis < earliest && family.clockMillis.getAsLong() < earliest;
    }

    private LocalFrame next(LocalFrame current, long nowMillis) {
        current.permits.close();
        return newFrame(Math.max(nowMillis, current.end), current);
    }

    private LocalFrame newFrame(long nowMillis, @Nullable LocalFrame last) {
        long start = FixedWindow.startOf(nowMillis, family.compiledLimit.lengthMillis);
        PreviousFrames previous = last == null
                ? PreviousFrames.empty(family.compiledLimit.frames, family.compiledLimit.lengthMillis)
                : last.before(start);
        return new LocalFrame(this, start, new Permits(Permits.ALL), previous);
    }

    @Override
    public boolean isWorthKeeping(long nowMillis) {
        LocalFrame current = frame;
        return current != null && current.isMostlySpent(nowMillis);
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        LocalFrame last = frame;
        return last != null && last.closeIfIdle(nowMillis) && FRAME.compareAndSet(this, last, null);
    }

    @Override
    public void retire() {
        LocalFrame last = (LocalFrame) FRAME.getAndSet(this, null);
        if (last != null) {
            last.permits.close();
        }
    }

    @Override
    public boolean isRetired() {
        return frame == null;
    }
}
