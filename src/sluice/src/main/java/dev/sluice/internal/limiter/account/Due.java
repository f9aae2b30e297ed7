package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.CHARGES_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.MISSING_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.PATIENT_REPORT_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORT_INTERVALS;

import dev.sluice.internal.limiter.account.Outstanding.Why;
import org.jspecify.annotations.Nullable;

/**
 * When the next statement of an account is due, and why. {@link Facts} finds what is due after a call and at a tick.
 * All other reasons come with events, such as news or an answer, which make a statement due themselves.
 *
 * @param nanos when it is due, by the monotonic clock
 * @param why why it is sent
 */
public record Due(long nanos, Why why) {

    /**
     * The next statement. It is for waiting calls here or on other instances or, if there are none, the one that is
     * owed.
     */
    static @Nullable Due of(Waits waiting, @Nullable Due owed) {
        return waiting.isRecalled() || waiting.isWaiting()
                ? new Due(waiting.statementNanos(), waiting.isWaiting() ? Why.CALLS_WAIT : Why.RECALLED)
                : owed;
    }

    /**
     * The facts of an account at a moment, from which follows why a statement is due then. The methods return {@code
     * null} if none is due.
     */
    record Facts(Terms terms, Knowledge known, Books books, Pace pace, Totals totals, Moment now) {

        /** The reason after a call that does not wait has requested a check. */
        @Nullable Why afterCall(boolean isLow, boolean isOverdrawn) {
            if (totals.isClosed()) {
                return Why.CLOSING;
            }
            if (books.owesRefund(terms, totals) || totals.overdrawn() < 0) {
                return Why.REFUND;
            }
            if (isOverdrawn) {
                return Why.OVERDRAWN;
            }
            // a call that waited has also asked for the next call's permit: asking again would bring no more, and takes
            // 6 % more commands where a limit of five is called on three instances in turn
            boolean hasAsked = books.unreported(totals) == 0 && pace.isLeisurely(terms, now);
            if (isLow && !hasAsked) {
                return Why.LOW;
            }
            // no permits may remain although the limit is not used up, if other instances hold some, which have to be
            // recalled
            long left = Math.max(0, known.left(now));
            long charged = totals.overdrawn();
            return charged > 0 && charged * CHARGES_DIVISOR > left && !known.isUsedUp() ? Why.CHARGE : null;
        }

        /** The reason for a statement that could have waited, if an exchange is about to be made anyway. */
        @Nullable Why withOthers() {
            if (pace.isLowSoon(terms, totals, books.ungranted(), known.left(now), now)) {
                return Why.LOW;
            }
            if (known.isSoonTimeToAskAgain(terms, now)) {
                return Why.USED_UP;
            }
            return books.unreported(totals) != 0 && canWait() ? Why.INTERVAL : null;
        }

        /**
         * Whether use may be reported later, with another exchange. In a very large fleet, where an instance has less
         * than its slack, counters of calm limits are called so rarely that each report would otherwise take its own
         * exchange.
         */
        private boolean canWait() {
            return known.isCalm()
                    && !totals.isClosed()
                    && !books.isReturnExpected()
                    && books.heldNow(totals) == 0
                    && terms.slack().isDivided(books.ungranted());
        }

        /**
         * The reason when a quarter of an interval has passed. In the last quarter of an interval, shares are refilled.
         */
        @Nullable Why atTick(long statedNanos, boolean intervalEnds) {
            if (totals.isClosed()) {
                return Why.CLOSING;
            }
            if (known.isTimeToAskAgain(now)) {
                return Why.USED_UP;
            }
            long held = books.heldNow(totals);
            if (books.isAnnouncedInVain(terms, totals) && known.left(now) <= 0) {
                return Why.RETURN; // otherwise, calls on other instances would wait in vain
            }
            if (!intervalEnds && held == 0 && !terms.isConcurrency()) {
                return null; // no other instance waits for anything here
            }
            if (canWait() && !now.isAfter(pace.changedNanos(), PATIENT_REPORT_INTERVALS * terms.everyMillis())) {
                return null;
            }
            boolean isLongAgo = now.isAfter(statedNanos, REPORT_INTERVALS * terms.everyMillis());
            boolean mayKeepOne = books.ungranted() == 0;
            boolean isTooLarge = pace.surplus(terms, totals, held, mayKeepOne, now) > 0;
            if (pace.isQuiet(terms, now)) {
                boolean renewsLease = books.returnable() > 0 && isLongAgo;
                return isTooLarge || books.isAnythingUnreported(terms, totals) || renewsLease ? Why.RETURN : null;
            }
            if (!intervalEnds) {
                return null;
            }
            long share = pace.share(terms, totals, mayKeepOne, now);
            boolean wasCalled = books.unreported(totals) != 0;
            boolean isTooSmall = wasCalled && held < share - share / MISSING_DIVISOR && known.mayHaveLeft(now);
            boolean isUnshared = (wasCalled || books.isAnnouncedInVain(terms, totals)) && held == 0;
            return isTooSmall || isTooLarge || isLongAgo || isUnshared ? Why.INTERVAL : null;
        }
    }
}
