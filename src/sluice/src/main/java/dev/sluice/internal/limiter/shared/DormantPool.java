package dev.sluice.internal.limiter.shared;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.counter.CallLine;
import dev.sluice.internal.limiter.counter.Permits;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;

/**
 * What is kept of a shared pool that nobody has called for a while, and that has nothing to report, to return or to
 * wait for. These few numbers take the pool's place in its counter; the next call opens the pool again from them, as it
 * was. Immutable and thread-safe.
 */
public final class DormantPool extends Window implements SharedWindows.Attachment {

    /** Nobody can take from a dormant pool; a call opens it again first. */
    private static final Permits CLOSED = new Permits(0);

    static {
        CLOSED.close();
    }

    private final long total;
    public final long reported;
    final char slack;
    private final byte chancePercent;
    public final boolean isCalm;

    /**
     * Keeps these numbers of a pool.
     *
     * @param total how much the store has recorded in this window, by its last answer
     * @param reported how much of that was used here
     * @param slack how many permits calls may use before the store is asked
     * @param isCalm whether the limit was calm at that answer, see {@link dev.sluice.internal.limiter.rule.Slack}
     * @param chance how often single calls came in time
     */
    public DormantPool(Window pool, long total, long reported, long slack, boolean isCalm, float chance) {
        super(pool.counter, pool.span(), CLOSED);
        this.total = total;
        this.reported = reported;
        this.slack = (char) Math.min(slack, Character.MAX_VALUE);
        this.isCalm = isCalm;
        this.chancePercent = (byte) Math.round(100 * chance);
    }

    /** How often single calls came in time, to a hundredth. */
    public float chance() {
        return chancePercent / 100F;
    }

    /** The fleet's usage, by the store's last answer. */
    public FleetUsage usage(SharedLimit limit) {
        return limit.usageAfter(new Grant(total, 0, 0, windows().history.frames.before(start())), start());
    }

    private FleetUsage usage() {
        return usage(SharedLimits.of(counter.family.tier, start(), end()));
    }

    public SharedWindows windows() {
        return SharedWindows.of(counter);
    }

    @Override
    public boolean isDormant() {
        return true;
    }

    @Override
    public CallLine openLine() {
        throw nothingTaken();
    }

    @Override
    public boolean isAnyInLine() {
        return false;
    }

    @Override
    public long take(long cost, long remaining, int borrowers, long nowMillis) {
        return Pool.CLOSED;
    }

    @Override
    public void putBack(long cost, long state, long takenAtMillis) {
        throw nothingTaken();
    }

    @Override
    public long charge(long amount, long nowMillis) {
        throw nothingTaken();
    }

    private static IllegalStateException nothingTaken() {
        return new IllegalStateException("a call has taken from a dormant pool");
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return false;
    }

    @Override
    public long state(long nowMillis) {
        return slack;
    }

    @Override
    public long available(long state, long nowMillis) {
        return Math.max(0, usage().left(nowMillis));
    }

    @Override
    public long resetMillis(long state, long nowMillis) {
        return usage().resetMillis(nowMillis);
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return usage().millisUntil(cost, nowMillis);
    }
}
