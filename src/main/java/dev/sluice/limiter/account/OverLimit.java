package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;

/** Works out how many calls were admitted beyond a limit before the store was told of them. */
final class OverLimit {

    private OverLimit() {}

    /**
     * How far this claim has taken the store's total beyond the cap. Summed over all instances it is an upper bound of the
     * calls admitted beyond it, since others may still return permits that the total counts. For fixed windows alone: in
     * all other limits what was used comes back meanwhile.
     *
     * @param heldBefore what the store took this instance to hold before the claim
     */
    static long of(Claim claim, Grant grant, long heldBefore) {
        if (!(claim.rule() instanceof Rule.Total total)) {
            return 0;
        }
        long after = grant.total();
        long before = after - grant.granted() - claim.used() - claim.held() + heldBefore;
        return Math.max(0, beyond(after, total) - beyond(before, total));
    }

    private static long beyond(long used, Rule.Total total) {
        return Math.max(0, used - total.cap());
    }
}
