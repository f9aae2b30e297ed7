package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.CHARGES_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.MISSING_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.PATIENT_REPORT_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORT_INTERVALS;

import dev.sluice.internal.limiter.account.Outstanding.Why;
import org.jspecify.annotations.Nullable;

/**
 * When the next statement of an account is due, and why. {@link Facts} finds the reasons after a call and at a tick.
 * All other reasons result from events, such as news or an answer: these events make a statement due themselves.
 *
 * @param nanos when it is due, by the monotonic clock
 * @param why the reason for sending it
 */
public record Due(long nanos, Why why) {

    /**
     * Returns the next statement. If calls wait here or on other instances, it is the statement for them. Otherwise, it
     * is the owed statement.
     */
    static @Nullable Due of(Waits waiting, @Nullable Due owed) {
        return waiting.isRecalled() || waiting.isWaiting()
                ? new Due(waiting.statementNanos(), waiting.isWaiting() ? Why.CALLS_WAIT : Why.RECALLED)
                : owed;
    }

    /**
     * The facts of an account at one moment. The methods derive from them why a statement is due, and return {@code
     * null} if none is due.
     */
    record Facts(Terms terms, Knowledge known, Books books, Pace pace, Totals totals, Moment now) {

        /** Returns the reason for a statement after a call has requested a check without waiting. */
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
            // A call that waited has also asked for the next call's permit. Asking again would gain no more permits,
            // and it costs 6 % more commands if calls under a limit of five alternate between three instances.
            boolean hasAsked = books.unreported(totals) == 0 && pace.isLeisurely(terms, now);
            if (isLow && !hasAsked) {
                return Why.LOW;
            }
            // The limit may not be used up although no permits remain, because other instances hold some. These have to
            // be recalled.
            long left = Math.max(0, known.left(now));
            long charged = totals.overdrawn();
            return charged > 0 && charged * CHARGES_DIVISOR > left && !known.isUsedUp() ? Why.CHARGE : null;
        }

        /** Returns the reason for a statement that could have waited, when an exchange is about to be made anyway. */
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
         * Whether use can be reported later, together with another exchange. In a very large fleet, an instance has
         * less than its full slack, and counters of calm limits are called rarely. Each of their reports would
         * otherwise require a separate exchange.
         */
        private boolean canWait() {
            return known.isCalm()
                    && !totals.isClosed()
                    && !books.isReturnExpected()
                    && books.heldNow(totals) == 0
                    && terms.slack().isDivided(books.ungranted());
        }

        /**
         * Returns the reason for a statement at a tick, which follows every quarter of an interval. Shares are refilled
         * in the last quarter.
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
                return Why.RETURN; // otherwise calls on other instances would wait in vain
            }
            if (!intervalEnds && held == 0 && !terms.isConcurrency()) {
                return null; // no other instance can be waiting for permits from here
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
