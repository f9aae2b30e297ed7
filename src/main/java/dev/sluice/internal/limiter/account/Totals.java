package dev.sluice.internal.limiter.account;

import dev.sluice.internal.limiter.shared.SharedPool;

/**
 * The figures of one pool, read at one moment. Calls take permits meanwhile; an account hears of these totals only.
 *
 * @param used what calls used here in all
 * @param inHand the unspent permits, whether the store granted them or not
 * @param overdrawn the part of the use that was charged in excess of the permits in hand
 * @param occupied the places that calls occupy, with those of replaced counters; 0 if the limit has none
 * @param isClosed whether nothing can be taken any more: the window is over, or the counter was retired
 * @param isUndecided whether a call has yet to keep or release what it borrowed
 * @param isWaitedFor whether calls wait for permits, and not for outcomes
 */
public record Totals(
        long used,
        long inHand,
        long overdrawn,
        long occupied,
        boolean isClosed,
        boolean isUndecided,
        boolean isWaitedFor) {

    /**
     * Reads them.
     *
     * @param placesOfReplaced the places that calls occupy by counters that this pool's replaces
     */
    public static Totals of(SharedPool pool, boolean isConcurrency, long placesOfReplaced) {
        boolean isClosed = pool.permits.isClosed(); // before the figures, which no call changes once it is
        boolean isUndecided = pool.permits.hasUndecidedCalls();
        long overdrawn = pool.overdrawn();
        long inHand = pool.permits.number();
        long used = pool.used(overdrawn, inHand);
        long occupied = isConcurrency ? used + placesOfReplaced : 0;
        return new Totals(
                used,
                inHand,
                overdrawn,
                occupied,
                isClosed,
                isUndecided,
                pool.line().isAsking());
    }

    /** The same after so much more was used. */
    public Totals plusUsed(long more) {
        return new Totals(used + more, inHand, overdrawn, occupied, isClosed, isUndecided, isWaitedFor);
    }

    /** The permits that calls can take now. */
    long left() {
        return isClosed ? 0 : inHand;
    }
}
