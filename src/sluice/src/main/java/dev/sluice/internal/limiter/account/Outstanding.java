package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Outstanding.Why;

/**
 * A statement in flight, and the figures on which it is based. These figures are booked once the store has applied the
 * statement. If the statement is abandoned, they are reported again. Immutable.
 *
 * @param use the total use that the statement reports
 * @param uses the reported use together with the times of the calls
 * @param overdrawn the amount of the reported use that was charged beyond the permits in hand
 * @param ungranted the amount of the reported use that took ungranted permits
 * @param recalls the number of times that other instances had recalled permits when the statement was made
 * @param madeNanos the time when the statement was made
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

    /** The reason why a statement is sent. */
    public enum Why {
        /** Calls on this instance are waiting for permits, or were refused because other instances are unresponsive. */
        CALLS_WAIT(true),
        /** Calls on another instance are waiting for permits that this instance holds. */
        RECALLED(true),
        /** The store has recorded calls that were eventually refused. */
        REFUND(true),
        /** Charges use up the remaining permits, or need permits that other instances hold. */
        OVERDRAWN(true),
        /** An operator has given calls. */
        GIVEN(true),
        /** Only a few permits are in hand. */
        LOW(false),
        /** The unreported charges are a large fraction of the remaining permits. */
        CHARGE(false),
        /** No call has arrived for most of an interval, so the share is returned and the use is reported. */
        RETURN(false),
        /** An interval has ended, so the share is refilled or cut and the use is reported. */
        INTERVAL(false),
        /** Calls are being refused, but permits might have been returned to the limit in the meantime. */
        USED_UP(false),
        /** The window has ended, or the counter was retired. */
        CLOSING(false),
        /** The store has lost reported use. */
        LOST(false),
        /** The store is answering again after an outage. */
        STORE_BACK(false),
        /** The store has not applied the last statement. */
        FAILED(false);

        /**
         * Whether a statement with this reason triggers a batch immediately. If not, the statement is sent with
         * the next batch or after a pause.
         */
        public final boolean isUrgent;

        Why(boolean isUrgent) {
            this.isUrgent = isUrgent;
        }
    }

    /**
     * Returns by how many permits the given statement raised the store's total above the cap. The sum of these numbers
     * over all instances is an upper bound on the number of calls that exceeded the limit, because instances can still
     * return permits that the total includes. The result is always 0 except for fixed windows, because the permits of
     * other limits become available again in the meantime.
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
