package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What the store believes of one account: what is held and in use here by the last claim that it applied, and what the
 * claim under way tells it. For one thread.
 */
final class StoreRecord {

    private long held;
    private long inUse;
    private Balance.@Nullable State told;
    private long toldUse;
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

    /** Whether it believes that something is held or in use here. */
    boolean isAny() {
        return held > 0 || inUse > 0;
    }

    /** Whether a claim is under way. */
    boolean isAsking() {
        return told != null;
    }

    /** What the claim under way tells; {@code null} if none is. */
    Balance.@Nullable State told() {
        return told;
    }

    /** How much of the use the claim under way tells. */
    long toldUse() {
        return toldUse;
    }

    /** Whether the last claim was made longer ago than this. */
    boolean isAskedBefore(long millis, Moment now) {
        return now.isAfter(asked.nanos(), millis);
    }

    /** A claim is made, which tells this. */
    void ask(Balance.State state, long use, Moment now) {
        told = state;
        toldUse = use;
        asked = now;
    }

    /** The claim under way was applied. */
    void applied(Claim claim, Grant grant, long usedAtOnce) {
        told = null;
        held = claim.held() + grant.granted() - usedAtOnce;
        inUse = claim.rule() instanceof Rule.Leased leased ? leased.inUse() + usedAtOnce : 0;
    }

    /**
     * The claim under way, if there is one, will never be applied, as far as is known: the store may have granted
     * something, so that it has to be told what is held.
     */
    void forgetClaim() {
        told = null;
        held = Math.max(held, 1);
    }

    /** Takes over the record of an account that is closed. */
    void takeOver(StoreRecord other) {
        held = Math.max(1, other.held); // not 0, so that the next claim is sent and tells the right figure
        inUse = other.inUse;
    }

    /** The store has lost what is held here. */
    void loseHeld() {
        held = 0;
    }

    /** The store has lost what is in use here. */
    void loseInUse() {
        inUse = 0;
    }
}
