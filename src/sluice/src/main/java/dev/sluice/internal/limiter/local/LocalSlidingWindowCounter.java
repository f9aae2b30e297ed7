package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.CompiledLimit;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Permits;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Span;
import dev.sluice.internal.limiter.counter.WindowedCounter;
import org.jspecify.annotations.Nullable;

/** A sliding-window counter that only this process uses. It counts calls in frames. Thread-safe. */
final class LocalSlidingWindowCounter extends WindowedCounter<LocalFrame> {

    /** The counter that continues this counter. Calls in flight are charged there. */
    private volatile @Nullable Counter successor;

    LocalSlidingWindowCounter(CounterFamily family, Object values) {
        super(family, values);
        setFirst(newWindow(family.clockMillis.getAsLong(), null));
    }

    /** Creates a counter that continues the frames of the given counter. */
    private LocalSlidingWindowCounter(CounterFamily family, LocalFrame last, LocalSlidingWindowCounter before) {
        super(family, before);
        setFirst(last.continuedIn(this));
    }

    @Override
    @Nullable public Counter replacedBy(CounterFamily next) {
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
        Span span = limit.spanAt(nowMillis);
        PreviousFrames previous =
                last == null ? PreviousFrames.empty(limit.frames, limit.lengthMillis) : last.before(span.start());
        return new LocalFrame(this, span, new Permits(Permits.ALL), previous);
    }
}
