package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Outstanding.Why;

/**
 * A statement in flight, and the figures on which it is based. These are booked when the statement is applied, and
 * reported again if it is given up. Immutable.
 *
 * @param use the amount of use that it reports
 * @param uses the same use, with the times of the calls
 * @param overdrawn the part of that use that was charged beyond the permits in hand
 * @param ungranted the part of that use that took ungranted permits
 * @param recalls how often other instances had recalled permits when the statement was made
 * @param madeNanos when the statement was made
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
        /** Calls of another instance wait for permits that this instance holds. */
        RECALLED(true),
        /** The store has recorded calls that were eventually refused. */
        REFUND(true),
        /** Charges use up the remaining permits, or need permits that other instances hold. */
        OVERDRAWN(true),
        /** An operator has given calls. */
        GIVEN(true),
        /** Few permits are in hand. */
        LOW(false),
        /** Charges are a considerable part of the remaining permits. */
        CHARGE(false),
        /** No call has come for most of an interval, so the share is returned and its use reported. */
        RETURN(false),
        /** An interval has ended, so the share is refilled or cut, and its use reported. */
        INTERVAL(false),
        /** Calls are refused, but permits may have been returned to the limit by now. */
        USED_UP(false),
        /** The window is over, or the counter was retired. */
        CLOSING(false),
        /** The store has lost reported use. */
        LOST(false),
        /** The store answers again. */
        STORE_BACK(false),
        /** The last statement was not applied. */
        FAILED(false);

        /**
         * Whether a batch is sent at once for this reason. Otherwise, the statement is sent with the next batch or
         * after a pause.
         */
        public final boolean isUrgent;

        Why(boolean isUrgent) {
            this.isUrgent = isUrgent;
        }
    }

    /**
     * Returns how much this statement increased the excess of the store's total over the cap. The sum over all
     * instances is an upper bound on the calls over the limit, because instances may still return permits that the
     * total includes. It is known only for fixed windows, because the permits of other limits become available again in
     * the meantime.
     */
    public static long overLimit(Statement statement, Grant grant, long heldBefore) {
        if (!(statement.rule() instanceof Rule.Total total)) {
            return 0;
        }
        long after = grant.total();
        long before = after - grant.granted() - statement.used() - statement.held() + heldBefore;
        long cap = total.cap() + grant.given();
        return Math.max(0, Math.max(0, after - cap) - Math.max(0, before - cap));
    }
}
