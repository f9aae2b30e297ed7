package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Outstanding.Why;

/**
 * A statement in flight: what was sent, and what it was made of, to book it when it is applied or to report it again if
 * it is given up. Immutable.
 *
 * @param use how much use it reports
 * @param uses the same use, with times
 * @param overdrawn the part of the use that was charged beyond the permits in hand
 * @param ungranted how much of the use took permits that were put in without a grant
 * @param recalls how often other instances had recalled permits when it was made
 * @param madeNanos when it was made
 */
public record Outstanding(
        Statement statement,
        Why why,
        long use,
        Uses.ReportedUse uses,
        long overdrawn,
        long ungranted,
        int recalls,
        long madeNanos) {

    /** Why a statement is sent. */
    public enum Why {
        /** Calls here found no permit and wait, or were refused because other instances are unresponsive. */
        CALLS_WAIT(true),
        /** Calls of another instance wait for what is held here. */
        RECALLED(true),
        /** The store has recorded calls that were refused in the end. */
        REFUND(true),
        /** Charges use up what was left, or need what other instances hold. */
        OVERDRAWN(true),
        /** Few permits are left in hand. */
        LOW(false),
        /** Charges are a considerable part of what is left. */
        CHARGE(false),
        /** Nobody has called for most of an interval: the share is returned, and use is reported. */
        RETURN(false),
        /** An interval has ended: the share is refilled or cut, and use is reported. */
        INTERVAL(false),
        /** Calls are refused: perhaps something has come back to the limit. */
        USED_UP(false),
        /** The window is over, or the counter was retired. */
        CLOSING(false),
        /** The store has lost what was reported. */
        LOST(false),
        /** The store answers again. */
        STORE_BACK(false),
        /** The last statement was not applied. */
        FAILED(false);

        /** Whether a batch is sent for it at once; otherwise it goes with the next batch, or after a pause. */
        public final boolean isUrgent;

        Why(boolean isUrgent) {
            this.isUrgent = isUrgent;
        }
    }

    /**
     * How much this statement added to the store's total beyond the cap. Summed over all instances, it is an upper
     * bound of the calls over the limit, since others may still return permits that the total counts. Only for fixed
     * windows: in other limits permits come back meanwhile.
     */
    public static long overLimit(Statement statement, Grant grant, long heldBefore) {
        if (!(statement.rule() instanceof Rule.Total total)) {
            return 0;
        }
        long after = grant.total();
        long before = after - grant.granted() - statement.used() - statement.held() + heldBefore;
        return Math.max(0, Math.max(0, after - total.cap()) - Math.max(0, before - total.cap()));
    }
}
