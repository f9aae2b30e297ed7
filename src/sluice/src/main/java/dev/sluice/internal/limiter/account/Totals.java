package dev.sluice.internal.limiter.account;

/**
 * The figures of one pool, all read at the same moment. Calls continue to take permits, but an account sees only these
 * totals. Immutable.
 *
 * @param used the total use by calls on this instance
 * @param inHand the unspent permits, whether granted or not
 * @param overdrawn the amount of the use that was charged beyond the permits in hand
 * @param occupied the slots that calls occupy, including those of replaced counters; 0 if the limit has no slots
 * @param isClosed whether permits can no longer be taken, because the window has ended or the counter was retired
 * @param isUndecided whether a call has yet to keep or release the permits that it borrowed
 * @param isWaitedFor whether calls are waiting for permits rather than for outcomes
 * @param mayReturn whether calls in flight might return their permits
 * @param instances the known number of live instances
 */
public record Totals(
        long used,
        long inHand,
        long overdrawn,
        long occupied,
        boolean isClosed,
        boolean isUndecided,
        boolean isWaitedFor,
        boolean mayReturn,
        int instances) {

    /** Returns the totals after calls have used the given number of further permits. */
    Totals plusUsed(long more) {
        return new Totals(
                used + more, inHand, overdrawn, occupied, isClosed, isUndecided, isWaitedFor, mayReturn, instances);
    }

    /** Returns the totals with the given number of further permits in hand. */
    Totals plusInHand(long more) {
        return new Totals(
                used, inHand + more, overdrawn, occupied, isClosed, isUndecided, isWaitedFor, mayReturn, instances);
    }

    /** Returns the permits that calls can take now. */
    long left() {
        return isClosed ? 0 : inHand;
    }
}
