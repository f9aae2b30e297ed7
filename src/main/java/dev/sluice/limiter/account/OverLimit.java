package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;

/** Computes how many calls were admitted over a limit before they were reported. */
final class OverLimit {

    private OverLimit() {}

    /**
     * How much of the store's total over the cap this claim added. Summed over all instances it is an upper bound of
     * the calls over the limit, since others may still return permits that the total counts. For fixed windows only: in
     * other limits used permits come back meanwhile.
     *
     * @param heldBefore what this instance held before the claim, according to the store
     */
    static long of(Claim claim, Grant grant, long heldBefore) {
        if (!(claim.rule() instanceof Rule.Total total)) {
            return 0;
        }
        long after = grant.total();
        long before = after - grant.granted() - claim.used() - claim.held() + heldBefore;
        return Math.max(0, excess(after, total) - excess(before, total));
    }

    private static long excess(long used, Rule.Total total) {
        return Math.max(0, used - total.cap());
    }
}
