package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import org.jspecify.annotations.Nullable;

/**
 * What an event does to the pool of an account and to the calls that wait at it. The ledger carries out the effects in
 * the order of these components:
 *
 * <ol>
 *   <li>Charges that a statement has reported are no longer overdrawn.
 *   <li>Calls can take the permits that the store has granted.
 *   <li>Permits without a grant are added or withdrawn. Calls may take some before they are withdrawn, so the account
 *       is told how many were in fact withdrawn.
 *   <li>A snapshot is published before permits are taken out. Otherwise a call could be refused although the store is
 *       about to receive those permits.
 *   <li>Granted permits are taken out, so that the next statement returns them.
 *   <li>Waiting calls continue. They come last because they depend on everything above, and because an attempt may
 *       throw.
 * </ol>
 *
 * Immutable.
 *
 * @param reported the statement that has reported charges; {@code null} if there is none
 * @param granted the grant to put into the pool; {@code null} if there is none
 * @param ungranted how many permits to add without a grant; a negative number withdraws unspent ones
 * @param isTold whether to publish a new snapshot for calls
 * @param returned how many granted permits to take out, if they are still unspent
 * @param asksAgain whether calls that await outcomes ask the store from now on, because permits were returned
 * @param line what the calls in line do
 */
public record Effects(
        @Nullable Outstanding reported,
        @Nullable Grant granted,
        long ungranted,
        boolean isTold,
        long returned,
        boolean asksAgain,
        Line line) {

    /** What the calls in line at the pool do. */
    public enum Line {
        /** They continue to wait. */
        STAYS,
        /** They take the permits in hand, in order of arrival. */
        TAKES,
        /** They take the permits in hand. If all of them await outcomes, those that cannot get any more are refused. */
        LOOKS,
        /**
         * Calls that cannot get any more permits from the store await the outcomes of calls in flight, if these may
         * return enough.
         */
        AWAITS_OUTCOMES,
        /** They take the permits in hand. Those that cannot get any more await outcomes or are refused. */
        IS_DECIDED,
        /** Like {@code IS_DECIDED}, after the store has replied that too few permits remain for those calls. */
        IS_DECIDED_AS_SHORT
    }

    static final Effects NONE = new Effects(null, null, 0, false, 0, false, Line.STAYS);

    Effects reports(Outstanding made) {
        return new Effects(made, granted, ungranted, isTold, returned, asksAgain, line);
    }

    Effects grants(Grant grant) {
        return new Effects(reported, grant, ungranted, isTold, returned, asksAgain, line);
    }

    /** Adds this many permits without a grant. A negative number withdraws at most that many of them. */
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
