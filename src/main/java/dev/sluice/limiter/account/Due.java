package dev.sluice.limiter.account;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * When a claim of one account is to be sent, and why. All reasons are given in this file, but for the three that are
 * events themselves: the store has lost counts, answers again, or did not apply a claim.
 *
 * @param nanos from when on, by the monotonic clock
 */
public record Due(long nanos, Why why) {

    /** Use is reported at least every so many intervals, and leases are renewed. */
    private static final int INTERVALS_BETWEEN_REPORTS = 2;

    /**
     * Charges are reported soon once they are this fraction of what is left, so that many instances hardly exceed the
     * limit.
     */
    private static final int UNREPORTED_CHARGES_DIVISOR = 40;

    /** Why a claim is to be sent. */
    public enum Why {
        /** Calls here found no permit, and wait, or were refused since others are silent. */
        CALLS_WAIT(true),
        /** Calls of another instance wait for what is held here. */
        RECALLED(true),
        /** The store counts calls that were refused in the end. */
        REFUND(true),
        /** Charges use up what was left, or need what other instances hold. */
        OVERDRAWN(true),
        /** Few permits are in hand. */
        LOW(false),
        /** Charges are a considerable part of what is left. */
        CHARGE(false),
        /** Nobody has called for most of an interval: the share is returned, and what is unreported is reported. */
        RETURN(false),
        /** An interval has ended: the share is filled up or cut down, and use is reported. */
        INTERVAL(false),
        /** Calls are refused: perhaps something has come back to the limit. */
        USED_UP(false),
        /** The window is over, or the counter was retired. */
        CLOSING(false),
        /** The store has lost what was reported. */
        LOST(false),
        /** The store answers again. */
        STORE_BACK(false),
        /** The last claim was not applied. */
        FAILED(false);

        /** Whether a batch is sent for it alone; otherwise it goes with the next one, or after a pause. */
        public final boolean isUrgent;

        Why(boolean isUrgent) {
            this.isUrgent = isUrgent;
        }

        /** The reason in words, for the log and for operators. */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The reason for a claim while calls wait, here or elsewhere, or one that is owed; {@code null} if there is none. */
    static @Nullable Due of(Account account) {
        Recall recall = account.recall();
        if (account.stage() != Stage.ACTIVE || account.isAsking()) {
            return null;
        }
        if (recall.isRecalled() || recall.isWaiting()) {
            return new Due(recall.claimNanos(), recall.isWaiting() ? Why.CALLS_WAIT : Why.RECALLED);
        }
        return account.owed();
    }

    /** A call that does not wait has requested a check: the reason for a claim, if any. */
    static @Nullable Why afterCall(Account account, Totals totals, boolean isLow, boolean isOverdrawn, Moment now) {
        if (totals.isClosed()) {
            return Why.CLOSING;
        }
        if (account.owesRefund(totals)) {
            return Why.REFUND;
        }
        if (isOverdrawn) {
            return Why.OVERDRAWN;
        }
        if (isLow) {
            return Why.LOW;
        }
        // if nothing is left but the limit is not used up, other instances hold permits that may have to be recalled
        long left = Math.max(0, account.known().left(now));
        long charged = totals.overdrawn();
        return charged > 0 && charged * UNREPORTED_CHARGES_DIVISOR > left && !account.isUsedUp() ? Why.CHARGE : null;
    }

    /**
     * A quarter of an interval has passed: the reason for a claim, if any.
     *
     * @param intervalEnds whether it was the last one of an interval, when shares are filled up
     */
    static @Nullable Why atTick(Account account, Totals totals, boolean intervalEnds, Moment now) {
        if (totals.isClosed()) {
            return Why.CLOSING;
        }
        if (account.known().isTimeToAskAgain(now)) {
            return Why.USED_UP;
        }
        Terms terms = account.terms();
        Books books = account.books();
        boolean isLongAgo = now.isAfter(account.claimedNanos(), INTERVALS_BETWEEN_REPORTS * terms.everyMillis());
        long held = books.held(totals);
        if (account.pace().isQuiet(terms, now)) {
            boolean renewsLease = books.inUse() > 0 && isLongAgo;
            return account.hasFinalClaim(totals) || renewsLease ? Why.RETURN : null;
        }
        if (!intervalEnds) {
            return null;
        }
        long share = account.pace().share(terms, totals, now);
        boolean wasCalled = books.unreported(totals) != 0;
        boolean isTooSmall =
                wasCalled && held < share - share / 4 && account.known().mayHaveLeft(now);
        return isTooSmall || Pace.isTooLarge(held, share) || isLongAgo ? Why.INTERVAL : null;
    }
}
