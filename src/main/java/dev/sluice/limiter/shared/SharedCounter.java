package dev.sluice.limiter.shared;

import dev.sluice.algorithm.FixedWindow;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.WindowedCounter;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.rule.SharedLimits;
import dev.sluice.tier.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Counts one caller's calls in one tier together with other instances. Where time does not cut it into windows, it has
 * one pool as long as it lives.
 */
public final class SharedCounter extends WindowedCounter<SharedPool> {

    private final Background background;
    private final CounterHistory history;

    /** A counter of this family that has heard nothing of others yet. */
    public SharedCounter(CounterFamily family, Object values, Background background) {
        super(family, values);
        this.background = background;
        this.history = new CounterHistory(family);
        begin(newWindow(family.clockMillis.getAsLong(), null));
    }

    /** Whether instances can share the counters of this limit. */
    public static boolean canShare(Limit limit) {
        return !(limit instanceof Limit.Concurrency places) || places.scope() == Limit.Concurrency.Scope.FLEET;
    }

    @Override
    protected SharedPool newWindow(long nowMillis, @Nullable SharedPool last) {
        long length = family.compiledLimit.lengthMillis;
        boolean isCut = family.compiledLimit.isCutIntoWindows();
        long start = isCut ? FixedWindow.startOf(nowMillis, length) : 0;
        long end = isCut ? start + length : SharedPool.FOR_EVER;
        SharedLimit limit = SharedLimits.of(family, start, end);
        FleetUsage unheard = limit.unheard(history.frames.before(start));
        long lent = background.lentAtFirst(family.tier, Math.max(0, unheard.left(nowMillis)));
        SharedSnapshot view = SharedSnapshot.first(background.phaseAtFirst(), unheard, lent);
        return new SharedPool(this, background, history, start, end, limit, view);
    }

    @Override
    protected void replaced(SharedPool last) {
        if (last.attachment != null) {
            background.attend(last);
        }
    }

    /** A counter that is opened now goes on with what is known to be used. */
    @Override
    public long retireBecauseUnshared(long nowMillis) {
        Pool pool = at(nowMillis);
        long used = pool == null ? 0 : most() - pool.available(pool.reading(nowMillis), nowMillis);
        retire();
        return used;
    }
}
