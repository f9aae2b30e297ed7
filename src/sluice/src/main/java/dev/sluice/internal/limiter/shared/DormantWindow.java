package dev.sluice.internal.limiter.shared;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;

/**
 * The numbers that are stored for a dormant shared pool. A pool becomes dormant if it has received no calls for a
 * while, has nothing to report or return, and is not waiting for anything. The numbers replace the pool in its counter.
 * The next call uses them to restore the pool. Immutable and thread-safe.
 */
public final class DormantWindow extends Window implements SharedWindows.Attachment {

    private final long total;
    public final long reported;
    final char slack;
    private final byte chancePercent;
    public final boolean isCalm;

    /**
     * Creates a dormant window from the numbers of a pool.
     *
     * @param total the use in this window according to the store's latest answer
     * @param reported the amount of that use that this instance has reported
     * @param slack the number of permits that calls may use before the store is asked
     * @param isCalm whether the limit was calm at the time of that answer; see {@link
     *     dev.sluice.internal.limiter.rule.Slack}
     * @param chance the fraction of calls that arrived in time, from 0 to 1
     */
    public DormantWindow(Window pool, long total, long reported, long slack, boolean isCalm, float chance) {
        super(pool.counter, pool.span());
        this.total = total;
        this.reported = reported;
        this.slack = (char) Math.min(slack, Character.MAX_VALUE);
        this.isCalm = isCalm;
        this.chancePercent = (byte) Math.round(100 * chance);
    }

    /** Returns the fraction of calls that arrived in time, rounded to hundredths. */
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

    /** Does nothing, because no call can take permits from a dormant window. */
    @Override
    public void close() {}

    @Override
    public boolean isMostlyUsed(long nowMillis) {
        long threshold = counter.family.compiledLimit.most - counter.family.compiledLimit.overage;
        return usage().left(nowMillis) - counter.family.compiledLimit.overage < threshold / 2.0;
    }
}
