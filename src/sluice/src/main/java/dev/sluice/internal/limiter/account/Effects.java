package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import org.jspecify.annotations.Nullable;

/**
 * What follows from an event for the pool of an account, and for the calls that wait at it. The ledger carries it out in
 * the order of these components:
 *
 * <ol>
 *   <li>Charges that a statement has reported are no longer overdrawn.
 *   <li>Calls can take what the store has granted.
 *   <li>Permits without a grant are added or withdrawn. Calls may take some before they are withdrawn, so the account
 *       learns how many were.
 *   <li>A snapshot is published before permits are taken out. Otherwise a call could be refused although the store is
 *       about to get those permits back.
 *   <li>Granted permits are taken out, for the next statement to return them.
 *   <li>Calls that wait go on. They come last, since they act on all of this, and since an attempt may throw.
 * </ol>
 *
 * Immutable.
 *
 * @param reported the statement whose charges count as reported; {@code null} if there is none
 * @param granted what to put into the pool; {@code null} if nothing
 * @param ungranted how many permits to add without a grant; negative for how many unspent ones to withdraw
 * @param isTold whether calls get a new snapshot
 * @param returned how many granted permits to take out, if they are still unspent
 * @param asksAgain whether calls that await outcomes ask the store from now on, since something has come back
 * @param line what calls do that stand in line
 */
public record Effects(
        @Nullable Outstanding reported,
        @Nullable Grant granted,
        long ungranted,
        boolean isTold,
        long returned,
        boolean asksAgain,
        Line line) {

    /** What calls do that stand in line at the pool. */
    public enum Line {
        /** They go on waiting. */
        STAYS,
        /** They take what is in hand, in order of arrival. */
        TAKES,
        /** The same; if all of them await outcomes, those are refused that can get no more. */
        LOOKS,
        /** Those that can get no more from the store await the outcomes of calls in flight, if these may return it. */
        AWAITS_OUTCOMES,
        /** They take what is in hand; those that can get no more await outcomes or are refused. */
        IS_DECIDED,
        /** The same after the store has said that too little is left for the calls that it was asked for. */
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
