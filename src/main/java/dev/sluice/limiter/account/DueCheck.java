package dev.sluice.limiter.account;

import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.KnownUsage;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.balance.TargetShare;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.SharedSnapshot;

/** Decides when one account has a claim to send. Not safe for several threads. */
public final class DueCheck {

    private static final int INTERVALS_BETWEEN_REPORTS = 2;

    /**
     * Charges are reported soon once they are this fraction of what is left, so that many instances hardly exceed the
     * limit.
     */
    private static final int PART_UNTOLD = 40;

    private final AccountState state;
    private final SharedPool pool;
    private final TargetShare share;
    private final KnownUsage known;

    DueCheck(AccountState state) {
        this.state = state;
        this.pool = state.pool;
        this.share = state.share;
        this.known = state.known;
    }

    /**
     * Updates the call rate at a tick; returns whether a claim is due now.
     *
     * @param intervalEnds whether this is the last tick of an interval, when shares are filled up
     */
    public boolean atTick(boolean intervalEnds, Moment now) {
        if (state.closePoolIfOver(now) || asksAgain(now)) {
            return true;
        }
        Balance.State sums = share.updateUse(now);
        boolean isLongAgo = state.record.isAskedBefore(INTERVALS_BETWEEN_REPORTS * state.everyMillis, now);
        if (share.isQuiet(now)) {
            boolean renewsLease = state.record.inUse() > 0 && isLongAgo;
            return state.hasUnreported(sums) || sums.held() > 0 || renewsLease;
        }
        if (!intervalEnds) {
            return false;
        }
        long wanted = share.size(sums, now);
        boolean wasCalled = state.balance.unreported(sums) != 0;
        boolean isTooSmall = wasCalled && TargetShare.isTooSmall(sums, wanted) && known.mayHaveLeft(now);
        return isTooSmall || TargetShare.isTooLarge(sums, wanted) || isLongAgo;
    }

    /** Whether, after a requested check, a claim is due soon. */
    public boolean isSoon(Moment now) {
        return pool.isLow(pool.permits.left()) || hasManyCharges(now);
    }

    /** Whether, after a requested check, a claim is due at once although no call waits. */
    public boolean isAtOnce(Moment now) {
        return state.owesRefund() || pool.isUsedUpByCharges(now.millis());
    }

    /** Whether the share will run low soon, so that it is filled up if an exchange is made anyway. */
    public boolean isLowSoon(Moment now) {
        return share.isLowSoon(now);
    }

    /**
     * Whether unreported charges are so many that other instances should hear of them soon. If nothing is left but the
     * limit is not used up, other instances hold permits that may have to be recalled.
     */
    private boolean hasManyCharges(Moment now) {
        long charged = pool.overdrawn.get();
        long left = Math.max(0, known.usage().left(now.millis()));
        return charged > 0 && charged * PART_UNTOLD > left && !known.isUsedUp();
    }

    /** Whether refused calls are a reason to ask again for a used-up limit. */
    private boolean asksAgain(Moment now) {
        return pool.snapshot.state() == SharedSnapshot.State.SHARED && known.asksAgain(now);
    }
}
