package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.limiter.account.Due.Why;

/**
 * A statement under way: what was sent, and what it was made of, so that it can be booked once it is applied, or reported
 * anew if it is given up.
 *
 * @param statement what was sent
 * @param why why it was sent
 * @param use how much use it reports, by number
 * @param uses the same with times
 * @param overdrawn the part of the use that was charged in excess of the permits in hand
 * @param ungranted how much of that use took permits that were put in without a grant
 * @param recalls how often other instances had recalled permits by then
 */
public record Outstanding(
        Statement statement, Why why, long use, Uses.Report uses, long overdrawn, long ungranted, int recalls) {

    /**
     * How much of the store's total over the cap this statement added. Summed over all instances it is an upper bound of
     * the calls over the limit, since others may still return permits that the total counts. For fixed windows only: in
     * other limits used permits come back meanwhile.
     *
     * @param heldBefore what this instance held before the statement, according to the store
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
