package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows of one account, since the last claim that it applied: what is held and in use here. Also what
 * the claim under way reports. Not safe for several threads.
 */
final class StoreRecord {

    private long held;
    private long inUse;
    private Balance.@Nullable State reported;
    private long reportedUse;
    private Moment asked;

    StoreRecord(Moment now) {
        this.asked = now;
    }

    long held() {
        return held;
    }

    long inUse() {
        return inUse;
    }

    /** Whether the store counts anything as held or in use here. */
    boolean isAnythingCounted() {
        return held > 0 || inUse > 0;
    }

    /** Whether a claim is under way. */
    boolean isAsking() {
        return reported != null;
    }

    /** What the claim under way reports; {@code null} if there is none. */
    Balance.@Nullable State reported() {
        return reported;
    }

    /** How much of the use the claim under way reports. */
    long reportedUse() {
        return reportedUse;
    }

    /** Whether the last claim is older than this. */
    boolean isAskedBefore(long millis, Moment now) {
        return now.isAfter(asked.nanos(), millis);
    }

    /** Records a new claim. */
    void ask(Balance.State state, long use, Moment now) {
        reported = state;
        reportedUse = use;
        asked = now;
    }

    /** The claim under way was applied. */
    void applied(Claim claim, Grant grant, long usedAtOnce) {
        reported = null;
        held = claim.held() + grant.granted() - usedAtOnce;
        inUse = claim.rule() instanceof Rule.Places places ? places.inUse() + usedAtOnce : 0;
    }

    /**
     * The claim under way, if any, will not be applied as far as known. The store may have granted something, so
     * holdings have to be reported.
     */
    void forgetClaim() {
        reported = null;
        held = Math.max(held, 1);
    }

    /** Takes over the record of a closed account. */
    void takeOver(StoreRecord other) {
        held = Math.max(1, other.held); // not 0, so that the next claim is sent and corrects it
        inUse = other.inUse;
    }

    /** The store lost what is held here. */
    void lostHeld() {
        held = 0;
    }

    /** The store lost what is in use here. */
    void lostInUse() {
        inUse = 0;
    }
}
