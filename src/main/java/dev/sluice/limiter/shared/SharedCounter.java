package dev.sluice.limiter.shared;

import dev.sluice.algorithm.FixedWindow;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.WindowedCounter;
import dev.sluice.limiter.rule.Absence;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.rule.OwnUse;
import dev.sluice.limiter.rule.Part;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.rule.SharedLimits;
import dev.sluice.limiter.rule.Slack;
import dev.sluice.limiter.shared.SharedPool.Background;
import dev.sluice.limiter.shared.SharedSnapshot.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts one caller's calls in one tier, shared with other instances. If time is not divided into windows, it has one
 * pool all its life.
 */
public final class SharedCounter extends WindowedCounter<SharedPool> {

    private final Background background;
    private final CounterHistory history;

    /** A new counter, for which the store has not answered yet. */
    public SharedCounter(CounterFamily family, Object values, Background background) {
        super(family, values);
        this.background = background;
        this.history = new CounterHistory(family);
        setFirst(newWindow(family.clockMillis.getAsLong(), null));
    }

    /** A counter that continues another one under other figures. It has no slack, which that one may have used. */
    private SharedCounter(CounterFamily family, SharedCounter before) {
        super(family, before);
        this.background = before.background;
        this.history = before.history;
        setFirst(newWindow(family.clockMillis.getAsLong(), null, false));
    }

    @Override
    public SharedCounter replacedBy(CounterFamily next) {
        retire();
        return new SharedCounter(next, this);
    }

    @Override
    protected SharedPool newWindow(long nowMillis, @Nullable SharedPool last) {
        return newWindow(nowMillis, last, true);
    }

    private SharedPool newWindow(long nowMillis, @Nullable SharedPool last, boolean hasSlack) {
        long length = family.compiledLimit.lengthMillis;
        boolean hasWindows = family.compiledLimit.hasWindows;
        long start = hasWindows ? FixedWindow.startOf(nowMillis, length) : 0;
        long end = hasWindows ? start + length : SharedPool.FOR_EVER;
        SharedLimit limit = SharedLimits.of(family.tier, start, end);
        Absence away = background.absence();
        if (last != null && away != null) {
            history.uncounted.set(last.start, last.uncounted());
        }
        FleetUsage usage = limit.initialUsage(history.frames.before(start));
        Slack slack = new Slack(family.tier.sync().slackOf(most()), most(), start, end);
        boolean wasCalm = last != null && last.snapshot.isCalm();
        if (away == null) {
            long first = hasSlack ? slack.atFirst(usage, wasCalm, background.instances(), nowMillis) : 0;
            return pool(start, end, limit, hasSlack, slack, SharedSnapshot.first(Mode.NEW, wasCalm, usage, first));
        }
        Part part = away.part(keyAt(start), false, nowMillis);
        usage = usage.alone(part, new OwnUse(history.uncounted.before(start), List.of(), 0), nowMillis);
        long allowed = away.allowedAtOnce(Math.max(0, usage.left(nowMillis)));
        return pool(
                start, end, limit, hasSlack, slack, SharedSnapshot.first(Mode.during(away), wasCalm, usage, allowed));
    }

    private SharedPool pool(
            long start, long end, SharedLimit limit, boolean hasSlack, Slack slack, SharedSnapshot first) {
        return new SharedPool(this, background, history, start, end, limit, hasSlack, slack, first);
    }

    @Override
    protected void replaced(SharedPool last) {
        if (last.attachment != null) {
            background.requestCheck(last);
        }
    }

    /** A counter that is opened now continues with what is known to be used. */
    @Override
    public long retireBecauseUnshared(long nowMillis) {
        Pool pool = at(nowMillis);
        long used = pool == null ? 0 : most() - pool.available(pool.state(nowMillis), nowMillis);
        retire();
        return used;
    }
}
