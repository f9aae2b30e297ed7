package dev.sluice.internal.limiter.account;

import dev.sluice.internal.limiter.account.Outstanding.Why;
import org.jspecify.annotations.Nullable;

/**
 * When the next statement of an account is due, and why. This class finds what is due after a call and at a tick. All
 * other reasons come with events, such as news or an answer, which make a statement due themselves.
 *
 * @param nanos when it is due, by the monotonic clock
 * @param why why it is sent
 */
public record Due(long nanos, Why why) {

    /** An instance that holds permits reports at least once in this many intervals. Each report renews its lease. */
    private static final int INTERVALS_BETWEEN_REPORTS = 2;

    /** A report that could wait for another exchange is sent after this many intervals without a call. */
    private static final int LATEST_REPORT = 2;

    /**
     * An instance reports charges soon if they exceed this fraction of what is left. That keeps a fleet of many instances
     * from exceeding the limit by much.
     */
    private static final int UNREPORTED_CHARGES_DIVISOR = 40;

    /** The next statement: for waiting calls here or elsewhere; otherwise the one that is owed. */
    static @Nullable Due of(Recall recall, @Nullable Due owed) {
        return recall.isRecalled() || recall.isWaiting()
                ? new Due(recall.statementNanos(), recall.isWaiting() ? Why.CALLS_WAIT : Why.RECALLED)
                : owed;
    }

    /**
     * A call that does not wait has requested a check. Returns the reason for a statement; {@code null} if none is due.
     */
    static @Nullable Why afterCall(
            Terms terms,
            Knowledge known,
            Books books,
            Pace pace,
            Totals totals,
            boolean isLow,
            boolean isOverdrawn,
            Moment now) {
        if (totals.isClosed()) {
            return Why.CLOSING;
        }
        if (books.owesRefund(terms, totals) || totals.overdrawn() < 0) {
            return Why.REFUND;
        }
        if (isOverdrawn) {
            return Why.OVERDRAWN;
        }
        // a call that waited has also asked for the next one; the store would grant no more if asked again
        boolean hasAsked = books.unreported(totals) == 0 && pace.isLeisurely(terms, now);
        if (isLow && !hasAsked) {
            return Why.LOW;
        }
        // if nothing is left but the limit is not used up, other instances hold permits, which may have to be recalled
        long left = Math.max(0, known.left(now));
        long charged = totals.overdrawn();
        return charged > 0 && charged * UNREPORTED_CHARGES_DIVISOR > left && !known.isUsedUp() ? Why.CHARGE : null;
    }

    /**
     * An exchange is about to be made anyway. Returns the reason for a statement that could have waited; {@code null}
     * if there is none.
     */
    static @Nullable Why withOthers(Terms terms, Knowledge known, Books books, Pace pace, Totals totals, Moment now) {
        if (pace.isLowSoon(terms, totals, books.ungranted(), known.left(now), now)) {
            return Why.LOW;
        }
        if (known.isSoonTimeToAskAgain(terms, now)) {
            return Why.USED_UP;
        }
        return books.unreported(totals) != 0 && canWait(terms, known, books, totals) ? Why.INTERVAL : null;
    }

    /**
     * Whether use may be reported later, with another exchange. In a very large fleet, where an instance has less than
     * its slack, counters of calm limits are called so rarely that each report would otherwise take an exchange of its
     * own.
     */
    private static boolean canWait(Terms terms, Knowledge known, Books books, Totals totals) {
        return known.isCalm()
                && !totals.isClosed()
                && !books.isAnythingCounted()
                && books.held(totals) == 0
                && terms.slack().isDivided(books.ungranted());
    }

    /**
     * A quarter of an interval has passed. Returns the reason for a statement; {@code null} if none is due.
     *
     * @param statedNanos when the last statement was made
     * @param intervalEnds whether it was the last quarter of an interval; then shares are refilled
     */
    static @Nullable Why atTick(
            Terms terms,
            Knowledge known,
            Books books,
            Pace pace,
            long statedNanos,
            Totals totals,
            boolean intervalEnds,
            Moment now) {
        if (totals.isClosed()) {
            return Why.CLOSING;
        }
        if (known.isTimeToAskAgain(now)) {
            return Why.USED_UP;
        }
        long held = books.held(totals);
        if (!intervalEnds && held == 0 && !terms.isConcurrency()) {
            return null; // no other instance waits for anything here
        }
        if (canWait(terms, known, books, totals)
                && !now.isAfter(pace.changedNanos(), LATEST_REPORT * terms.everyMillis())) {
            return null;
        }
        boolean isLongAgo = now.isAfter(statedNanos, INTERVALS_BETWEEN_REPORTS * terms.everyMillis());
        boolean mayKeepOne = books.ungranted() == 0;
        boolean isTooLarge = pace.surplus(terms, totals, held, mayKeepOne, now) > 0;
        if (pace.isQuiet(terms, now)) {
            boolean renewsLease = books.inUse() > 0 && isLongAgo;
            return isTooLarge || books.isAnythingUnreported(terms, totals) || renewsLease ? Why.RETURN : null;
        }
        if (!intervalEnds) {
            return null;
        }
        long share = pace.share(terms, totals, mayKeepOne, now);
        boolean wasCalled = books.unreported(totals) != 0;
        boolean isTooSmall = wasCalled && held < share - share / 4 && known.mayHaveLeft(now);
        boolean isUnshared = wasCalled && held == 0;
        return isTooSmall || isTooLarge || isLongAgo || isUnshared ? Why.INTERVAL : null;
    }
}
