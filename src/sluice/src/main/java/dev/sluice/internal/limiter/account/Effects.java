package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import org.jspecify.annotations.Nullable;

/**
 * The effects of an event on the pool of an account and on the calls that are waiting at that pool. The ledger carries
 * out the effects in this order:
 *
 * <ol>
 *   <li>Charges that a statement has reported are no longer treated as overdrawn.
 *   <li>The permits that the store has granted become available to calls.
 *   <li>Ungranted permits are added or withdrawn. Calls can take some of these permits before they are withdrawn.
 *       Therefore, the account is informed how many permits were actually withdrawn.
 *   <li>A snapshot is published before permits are taken out. Otherwise, a call could be refused although those permits
 *       are about to be returned to the store.
 *   <li>Granted permits are taken out of the pool so that the next statement returns them.
 *   <li>Waiting calls continue. This step is last because it depends on all previous steps and because a call's attempt
 *       to take permits might throw an exception.
 * </ol>
 *
 * Immutable.
 *
 * @param reported the statement that has reported charges; {@code null} if there is none
 * @param granted the grant to put into the pool; {@code null} if there is none
 * @param ungranted the number of permits to add without a grant; if negative, the number of unspent permits to withdraw
 * @param isTold whether to publish a new snapshot for calls
 * @param returned the number of granted permits to take out of the pool if they are still unspent
 * @param asksAgain whether calls that await outcomes ask the store from now on, because permits were returned
 * @param line the action of the calls in line
 */
public record Effects(
        @Nullable Outstanding reported,
        @Nullable Grant granted,
        long ungranted,
        boolean isTold,
        long returned,
        boolean asksAgain,
        Line line) {

    /** The action of the calls that stand in line at the pool. */
    public enum Line {
        /** The calls continue to wait. */
        STAYS,
        /** The calls take the permits in hand, in order of arrival. */
        TAKES,
        /**
         * The calls take the permits in hand. If all calls in line await outcomes, those that can no longer get enough
         * permits are refused.
         */
        LOOKS,
        /**
         * Calls that can get no more permits from the store await the outcomes of calls in flight if those calls might
         * return enough permits.
         */
        AWAITS_OUTCOMES,
        /**
         * The calls take the permits in hand. Calls that still lack permits and can get none from the store await
         * outcomes, or are refused if no outcome can help.
         */
        IS_DECIDED,
        /**
         * The same as {@code IS_DECIDED}, but after the store has replied that too few permits remain for the waiting
         * calls.
         */
        IS_DECIDED_AS_SHORT
    }

    static final Effects NONE = new Effects(null, null, 0, false, 0, false, Line.STAYS);

    Effects reports(Outstanding made) {
        return new Effects(made, granted, ungranted, isTold, returned, asksAgain, line);
    }

    Effects grants(Grant grant) {
        return new Effects(reported, grant, ungranted, isTold, returned, asksAgain, line);
    }

    /** Adds the given number of permits without a grant. A negative number withdraws at most that number of permits. */
    Effects adds(long permits) {
        return new Effects(reported, granted, permits, isTold, returned, asksAgain, line);
    }

    Effects tells() {
        return new Effects(reported, granted, ungranted, true, returned, asksAgain, line);
    }

    Effects returns(long permits) {
        return new Effects(reported, granted, ungranted, isTold, permits, asksAgain, line);
    }

    Effects lets(Line next) {
        return new Effects(reported, granted, ungranted, isTold, returned, asksAgain, next);
    }

    Effects letsAskAgain() {
        return new Effects(reported, granted, ungranted, isTold, returned, true, line);
    }
}
