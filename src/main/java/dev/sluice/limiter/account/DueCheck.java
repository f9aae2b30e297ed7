package dev.sluice.limiter.account;

import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Knowledge;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.balance.ShareInHand;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.SharedSnapshot;

/** When there is something to tell or ask of the store for one account. For one thread. */
public final class DueCheck {

    private static final int INTERVALS_BETWEEN_REPORTS = 2;

    /** Charges are told soon once they are this part of what is left, so that many instances hardly pass the limit. */
    private static final int PART_UNTOLD = 40;

    private final AccountState state;
    private final SharedPool pool;
    private final ShareInHand share;
    private final Knowledge known;

    DueCheck(AccountState state) {
        this.state = state;
        this.pool = state.pool;
        this.share = state.share;
        this.known = state.known;
    }

    /**
     * Learns what calls have done, at one of the ticks of an interval; whether there is something to ask the store now.
     *
     * @param intervalEnds whether it is the last of them, at which shares are filled up
     */
    public boolean atTick(boolean intervalEnds, Moment now) {
        if (state.closePoolIfOver(now) || asksAgain(now)) {
            return true;
        }
        Balance.State sums = share.learnUse(now);
        boolean isLongAgo = state.record.isAskedBefore(INTERVALS_BETWEEN_REPORTS * state.everyMillis, now);
        if (share.isQuiet(now)) {
            boolean renewsLease = state.record.inUse() > 0 && isLongAgo;
            return state.isNews(sums) || sums.held() > 0 || renewsLease;
        }
        if (!intervalEnds) {
            return false;
        }
        long wanted = share.size(sums, now);
        boolean wasCalled = state.balance.unreported(sums) != 0;
        boolean isTooSmall = wasCalled && ShareInHand.isTooSmall(sums, wanted) && known.mayHaveLeft(now);
        return isTooSmall || ShareInHand.isTooLarge(sums, wanted) || isLongAgo;
    }

    /** Whether a call that has noted the pool has left something to ask soon. */
    public boolean isSoon(Moment now) {
        return pool.isLow(pool.permits.left()) || hasManyCharges(now);
    }

    /** Whether a call that has noted the pool has left something to ask at once, though none waits. */
    public boolean isAtOnce(Moment now) {
        return state.owesRefund() || pool.isUsedUpByCharges(now.millis());
    }

    /** Whether the share in hand will run low soon, so that it is filled up if an exchange is made anyway. */
    public boolean isLowSoon(Moment now) {
        return share.isLowSoon(now);
    }

    /** Whether the store was not told of so many charges that other instances should know of them soon. */
    private boolean hasManyCharges(Moment now) {
        long left = known.usage().left(now.millis());
        return left > 0 && pool.overdrawn.get() * PART_UNTOLD > left;
    }

    /** Whether calls that were refused make it worth asking again for a limit that is used up. */
    private boolean asksAgain(Moment now) {
        return pool.view.phase() == SharedSnapshot.Phase.SHARED && known.asksAgain(now);
    }
}
