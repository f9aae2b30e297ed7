package dev.sluice.internal.limiter.shared;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;

/**
 * The numbers stored for a shared pool that has had no calls for a while, and has nothing to report, return or wait
 * for. They replace the pool in its counter. The next call uses them to reopen the pool as it was. Immutable and
 * thread-safe.
 */
public final class DormantWindow extends Window implements SharedWindows.Attachment {

    private final long total;
    public final long reported;
    final char slack;
    private final byte chancePercent;
    public final boolean isCalm;

    /**
     * Stores these numbers of a pool.
     *
     * @param total the use in this window that the store had recorded in its latest answer
     * @param reported the part of that use by this instance
     * @param slack how many permits calls may use before the store is asked
     * @param isCalm whether the limit was calm at that answer; see {@link dev.sluice.internal.limiter.rule.Slack}
     * @param chance how often single calls came in time
     */
    public DormantWindow(Window pool, long total, long reported, long slack, boolean isCalm, float chance) {
        super(pool.counter, pool.span());
        this.total = total;
        this.reported = reported;
        this.slack = (char) Math.min(slack, Character.MAX_VALUE);
        this.isCalm = isCalm;
        this.chancePercent = (byte) Math.round(100 * chance);
    }

    /** Returns how often single calls came in time, rounded to hundredths. */
    public float chance() {
        return chancePercent / 100F;
    }

    /** Returns the fleet's usage according to the store's last answer. */
    public FleetUsage usage(SharedLimit limit) {
        return limit.usageAfter(new Grant(total, 0, 0, windows().history.frames.before(start())), start());
    }

    private FleetUsage usage() {
        return usage(SharedLimits.of(counter.family.tier, start(), end()));
    }

    public SharedWindows windows() {
        return SharedWindows.of(counter);
    }

    /** Does nothing, because no call can take permits from it. */
    @Override
    public void close() {}

    @Override
    public boolean isMostlyUsed(long nowMillis) {
        long threshold = counter.family.compiledLimit.most - counter.family.compiledLimit.overage;
        return usage().left(nowMillis) - counter.family.compiledLimit.overage < threshold / 2.0;
    }
}
