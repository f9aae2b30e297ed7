package dev.sluice.internal.limiter.account;

import dev.sluice.internal.limiter.shared.SharedPool;

/**
 * The figures of one pool, read at one moment. Calls take permits meanwhile, but an account knows only these totals.
 * Immutable.
 *
 * @param used what calls have used here in total
 * @param inHand the unspent permits, granted or not
 * @param overdrawn the part of the use that was charged beyond the permits in hand
 * @param occupied the slots that calls occupy, including those of replaced counters; 0 if the limit has no slots
 * @param isClosed whether nothing can be taken any more: the window is over, or the counter was retired
 * @param isUndecided whether a call has yet to keep or release what it borrowed
 * @param isWaitedFor whether calls wait for permits rather than for outcomes
 * @param mayReturn whether calls in flight may return what they took
 */
public record Totals(
        long used,
        long inHand,
        long overdrawn,
        long occupied,
        boolean isClosed,
        boolean isUndecided,
        boolean isWaitedFor,
        boolean mayReturn) {

    /** Reads the figures of a pool, and the slots that calls occupy in the counters that its counter replaced. */
    public static Totals of(SharedPool pool, boolean isConcurrency, long slotsOfReplaced, long nowMillis) {
        boolean isClosed = pool.permits.isClosed(); // read before the figures: once closed, no call changes them
        boolean isUndecided = pool.hasUndecidedCalls();
        long overdrawn = pool.overdrawn;
        long inHand = pool.permits.number();
        long used = pool.used(overdrawn, inHand);
        long occupied = isConcurrency ? used + slotsOfReplaced : 0;
        boolean isWaitedFor = pool.line().isAnyForStore();
        boolean mayReturn = !isConcurrency && pool.refundable(nowMillis) > 0;
        return new Totals(used, inHand, overdrawn, occupied, isClosed, isUndecided, isWaitedFor, mayReturn);
    }

    /** These totals after this much more was used. */
    public Totals plusUsed(long more) {
        return new Totals(used + more, inHand, overdrawn, occupied, isClosed, isUndecided, isWaitedFor, mayReturn);
    }

    /** The permits that calls can take now. */
    long left() {
        return isClosed ? 0 : inHand;
    }
}
