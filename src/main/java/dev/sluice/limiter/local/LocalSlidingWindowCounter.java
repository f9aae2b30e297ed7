package dev.sluice.limiter.local;

import dev.sluice.algorithm.FixedWindow;
import dev.sluice.limiter.counter.CompiledLimit;
import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Permits;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.WindowedCounter;
import org.jspecify.annotations.Nullable;

/** Counts a sliding window in this process alone, frame after frame. */
final class LocalSlidingWindowCounter extends WindowedCounter<LocalFrame> {

    /** Where a call that is under way is charged in the end. */
    private volatile @Nullable Counter successor;

    LocalSlidingWindowCounter(CounterFamily family, Object values) {
        super(family, values);
        begin(newWindow(family.clockMillis.getAsLong(), null));
    }

    /** One that goes on with these frames. */
    private LocalSlidingWindowCounter(CounterFamily family, LocalFrame last, LocalSlidingWindowCounter before) {
        super(family, before);
        begin(last.goingOnIn(this));
    }

    @Override
    @Nullable public Counter succeededBy(CounterFamily next) {
        LocalFrame last = takeOut();
        @Nullable Counter opened = last == null ? null : new LocalSlidingWindowCounter(next, last, this);
        successor = opened;
        return opened;
    }

    @Override
    @Nullable public Pool at(long nowMillis) {
        Pool current = super.at(nowMillis);
        Counter next = current == null ? successor : null;
        return next == null ? current : next.at(nowMillis);
    }

    @Override
    protected LocalFrame newWindow(long nowMillis, @Nullable LocalFrame last) {
        CompiledLimit limit = family.compiledLimit;
        long start = FixedWindow.startOf(nowMillis, limit.lengthMillis);
        PreviousFrames previous =
                last == null ? PreviousFrames.empty(limit.frames, limit.lengthMillis) : last.before(start);
        return new LocalFrame(this, start, new Permits(Permits.ALL), previous);
    }
}
