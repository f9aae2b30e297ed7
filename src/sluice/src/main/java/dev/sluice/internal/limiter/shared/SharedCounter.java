package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Span;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.rule.Part;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.limiter.rule.Slack;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A counter of one caller's calls under one tier, shared with other instances. If the limit has no windows, the counter
 * has a single pool for its whole lifetime. If a pool receives no calls, the background thread makes it dormant, and
 * the next call opens it again. Thread-safe.
 */
public final class SharedCounter extends SharedWindows {

    /** Creates a new counter. The store has not answered for it yet. */
    public SharedCounter(CounterFamily family, Object values, Background background) {
        super(family, values, background);
        setFirst(newWindow(family.clockMillis.getAsLong(), null));
    }

    /**
     * Creates a counter that continues the given counter after the limit was changed. The new counter has no slack,
     * because the given counter might have used it.
     */
    private SharedCounter(CounterFamily family, SharedCounter before, @Nullable DormantWindow dormant) {
        super(family, before);
        setFirst(newWindow(family.clockMillis.getAsLong(), dormant, false));
    }

    @Override
    public SharedCounter replacedBy(CounterFamily next) {
        Window last = takeOut();
        if (last != null) {
            last.close();
        }
        return new SharedCounter(next, this, last instanceof DormantWindow dormant ? dormant : null);
    }

    @Override
    protected SharedPool newWindow(long nowMillis, @Nullable Window last) {
        return newWindow(nowMillis, last, true);
    }

    private SharedPool newWindow(long nowMillis, @Nullable Window last, boolean isNew) {
        Span span = family.compiledLimit.spanAt(nowMillis);
        long start = span.start();
        SharedLimit limit = SharedLimits.of(family.tier, start, span.end());
        Outage outage = background.outage();
        if (last instanceof SharedPool before && outage != null) {
            history.unrecorded.set(before.start(), before.unrecorded());
        }
        DormantWindow dormant = last instanceof DormantWindow earlier ? earlier : null;
        DormantWindow same = dormant != null && dormant.start() == start ? dormant : null;
        FleetUsage usage = same == null ? limit.initialUsage(history.frames.before(start)) : same.usage(limit);
        boolean wasCalm = dormant != null
                ? dormant.isCalm
                : last instanceof SharedPool before
                        && before.snapshot().outlook().isCalm();
        SharedSnapshot first = outage == null
                ? firstSnapshot(same, wasCalm, usage, span, isNew, nowMillis)
                : firstSnapshot(same != null, wasCalm, usage, start, isNew, outage, nowMillis);
        return new SharedPool(this, span, limit, first, dormant);
    }

    /** Creates the snapshot for the first calls if there is no outage. */
    private SharedSnapshot firstSnapshot(
            @Nullable DormantWindow dormant,
            boolean wasCalm,
            FleetUsage usage,
            Span span,
            boolean isNew,
            long nowMillis) {
        if (dormant != null) {
            long left = Math.max(0, usage.left(nowMillis));
            return SharedSnapshot.first(Mode.SHARED, wasCalm, usage, isNew ? Math.min(dormant.slack, left) : 0);
        }
        Slack slack = Slack.of(family.tier, most(), span.start(), span.end());
        long first = isNew ? slack.atFirst(usage, wasCalm, background.instances(), nowMillis) : 0;
        return SharedSnapshot.first(Mode.NEW, wasCalm, usage, first);
    }

    /** Creates the snapshot for the first calls during an outage or shortly afterwards. */
    private SharedSnapshot firstSnapshot(
            boolean isKnown,
            boolean wasCalm,
            FleetUsage usage,
            long start,
            boolean isNew,
            Outage outage,
            long nowMillis) {
        Part part = outage.part(keyAt(start), isKnown, nowMillis);
        FleetUsage own = usage.alone(part, new OwnUse(history.unrecorded.before(start), List.of(), 0), nowMillis);
        boolean isKnownHere =
                isNew || outage.policy() == OnFailure.ALLOW; // otherwise only the background thread knows the use
        long allowed = isKnownHere ? outage.allowed(Math.max(0, own.left(nowMillis))) : 0;
        return SharedSnapshot.first(Mode.during(outage), wasCalm, own, allowed);
    }

    @Override
    protected void replaced(Window last) {
        if (last instanceof SharedPool pool && !pool.isUnseen()) {
            background.checkSoon(pool);
        }
    }

    /**
     * Retires this counter and returns the known use. The replacement counter takes over this use. The replacement
     * counter cannot take given calls into account, so they are subtracted from the use.
     */
    @Override
    public long retireBecauseUnshared(long nowMillis) {
        Pool pool = at(nowMillis);
        long used = pool == null ? 0 : most() - pool.available(pool.state(nowMillis), nowMillis);
        retire();
        return Math.max(0, used);
    }
}
