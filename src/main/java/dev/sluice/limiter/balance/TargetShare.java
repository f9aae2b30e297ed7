package dev.sluice.limiter.balance;

import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.tier.Sync;

/**
 * How large a share of one shared pool this instance should have in hand, by its recent use. Not safe for several
 * threads.
 */
public final class TargetShare {

    /**
     * A pool without calls for this fraction of an interval is quiet; with the tick that detects it, that is less than
     * an interval.
     */
    private static final double QUIET_INTERVALS = 0.74;

    /** A share that lasts no longer than this is filled up together with others. */
    private static final long SOON_MILLIS = 200;

    /** It is filled up early only if ten times as much is left; otherwise the store would only be asked more often. */
    private static final int PLENTY = 10;

    private final SharedPool pool;
    private final Balance balance;
    private final KnownUsage known;
    private final Sync sync;
    private final Demand demand;
    /** Whether calls free what they take when they end. */
    private final boolean isConcurrency;

    private long usedSeen;
    private long changedNanos;

    public TargetShare(SharedPool pool, Balance balance, KnownUsage known, Moment now) {
        this.pool = pool;
        this.balance = balance;
        this.known = known;
        this.sync = pool.counter.family.tier.sync();
        this.isConcurrency = pool.counter.family.compiledLimit.isConcurrency;
        this.demand = new Demand(pool.history.rate(now.nanos()), sync.every().toMillis(), sync.strict());
        this.changedNanos = now.nanos();
    }

    /** Updates the call rate with what was used since the last update. */
    public Balance.State updateUse(Moment now) {
        Balance.State state = balance.state();
        if (state.used() != usedSeen) {
            demand.learn(state.used() - usedSeen, now);
            usedSeen = state.used();
            changedNanos = now.nanos();
        }
        if (pool.forgetFreeCalls()) {
            demand.learnFreeCalls(now);
            changedNanos = now.nanos();
        }
        return state;
    }

    /** Whether no call came for nearly an interval, so that no share is kept. */
    public boolean isQuiet(Moment now) {
        return now.isAfter(changedNanos, (long) (QUIET_INTERVALS * sync.every().toMillis()));
    }

    /** The size of the share. */
    public long size(Balance.State state, Moment now) {
        if (isConcurrency) {
            return sync.strict() || state.used() == 0 ? 0 : 1 + state.used() / 4;
        }
        return demanded(now);
    }

    private long demanded(Moment now) {
        return demand.share(Math.max(0, pool.end - Math.max(now.millis(), pool.start)), now);
    }

    public static boolean isTooLarge(Balance.State state, long size) {
        return state.held() > 2 * size;
    }

    public static boolean isTooSmall(Balance.State state, long size) {
        return state.held() < size - size / 4;
    }

    /** Whether the share will run low soon, so that it is filled up if an exchange is made anyway. */
    public boolean isLowSoon(Moment now) {
        long soon = isConcurrency || isQuiet(now) ? 0 : demand.usedWithin(SOON_MILLIS, now);
        return soon > 0
                && size(balance.state(), now) > 0
                && known.usage().left(now.millis()) >= PLENTY * soon
                && pool.permits.left() < balance.ungranted() + soon;
    }

    /** A call that leaves this many permits, or fewer, requests more. */
    public long lowWater(Moment now) {
        if (isConcurrency || !known.mayHaveLeft(now)) {
            return 0;
        }
        long share = demanded(now);
        return share == 0 ? (balance.ungranted() + 1) / 2 : balance.ungranted() + demand.refillBelow(share, now);
    }
}
