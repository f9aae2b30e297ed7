package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.CHARGES_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.MISSING_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.PATIENT_REPORT_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORT_INTERVALS;

import dev.sluice.internal.limiter.account.Outstanding.Why;
import org.jspecify.annotations.Nullable;

/**
 * When the next statement of an account is due, and why. {@link Facts} derives the reason after a call, at a tick, and
 * when an exchange is about to be made anyway. Other events, such as news or an answer, specify the reason themselves.
 *
 * @param nanos the time when the statement is due, according to the monotonic clock
 * @param why the reason for sending the statement
 */
public record Due(long nanos, Why why) {

    /**
     * Returns when and why the next statement is due. If calls are waiting on this or another instance, the next
     * statement is the one for these calls. Otherwise, it is the owed statement.
     */
    static @Nullable Due of(Waits waiting, @Nullable Due owed) {
        return waiting.isRecalled() || waiting.isWaiting()
                ? new Due(waiting.statementNanos(), waiting.isWaiting() ? Why.CALLS_WAIT : Why.RECALLED)
                : owed;
    }

    /**
     * The facts about an account at one moment. The methods use these facts to derive the reason for a statement. They
     * return {@code null} if no statement is due.
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
            // The statement for a waiting call has also requested the next call's permit. A further statement would
            // yield no more permits. It would cost 6 % more commands if calls under a limit of five alternated between
            // three instances.
            boolean hasAsked = books.unreported(totals) == 0 && pace.isLeisurely(terms, now);
            if (isLow && !hasAsked) {
                return Why.LOW;
            }
            // Even if no permits remain, the limit is not used up if other instances hold unspent permits. Those
            // permits have to be recalled.
            long left = Math.max(0, known.left(now));
            long charged = totals.overdrawn();
            return charged > 0 && charged * CHARGES_DIVISOR > left && !known.isUsedUp() ? Why.CHARGE : null;
        }

        /**
         * Returns the reason for a statement that could be sent later but can join an exchange that is about to be
         * made anyway.
         */
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
         * Whether the report of use can wait for an exchange that is made for a different reason. In a very large
         * fleet, an instance has less than the full slack, and counters of calm limits are rarely called. Without this
         * delay, each report for such a counter would require a separate exchange.
         */
        private boolean canWait() {
            return known.isCalm()
                    && !totals.isClosed()
                    && !books.isReturnExpected()
                    && books.heldNow(totals) == 0
                    && terms.slack().isDivided(books.ungranted());
        }

        /**
         * Returns the reason for a statement that is due at a tick. Every quarter of an interval ends with a tick.
         * Shares are refilled only at the last tick of an interval.
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
