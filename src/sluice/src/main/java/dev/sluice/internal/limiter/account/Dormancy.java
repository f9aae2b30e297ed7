package dev.sluice.internal.limiter.account;

import dev.sluice.Subject;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.shared.DormantWindow;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens the accounts of pools, and determines when counters can become dormant. While a counter is dormant, a few
 * numbers replace its account. These numbers are sufficient to restore the account, except for facts that would expire
 * after a lease anyway.
 */
public final class Dormancy {

    private Dormancy() {}

    /** Returns the earliest time at which the counter can become dormant. It is one lease after the latest call. */
    public static long earliestNanos(Account account) {
        return account.pace().changedNanos() + account.terms().leaseMillis() * 1_000_000;
    }

    /**
     * Whether a few numbers can replace an account. This is possible if everything is reported, no permits are held, no
     * call is waiting, no statement is in flight, and the store's latest answer is still valid. The account of a
     * used-up limit needs news about that limit, so its counter does not become dormant until the limit is no longer
     * used up or the window has ended.
     */
    public static boolean isPossible(Account account, Totals totals, Moment now) {
        Knowledge known = account.known();
        long usedUpUntilMillis =
                Math.min(known.usedUp().untilMillis(), account.terms().endMillis());
        return account.stage() == Stage.IDLE
                && now.nanos() - earliestNanos(account) >= 0
                && account.isQuiet(totals, now)
                && totals.overdrawn() == 0
                && known.isAnswered()
                && known.outageMode() == null
                && (known.alone() == null || known.alone().isAsNew())
                && now.millis() >= usedUpUntilMillis
                && known.fleet().windowTotal().isPresent();
    }

    /**
     * Opens the account of a pool that is new or no longer dormant.
     *
     * @param first the snapshot that the first calls use
     * @param fleet the fleet's usage in that snapshot
     * @param dormant the numbers stored while this window or an earlier one was dormant; {@code null} if no window was
     *     dormant
     * @param before the previous window's pace, which the new account takes over; {@code null} if there was no previous
     *     window
     */
    public static Account opened(
            List<Subject> subjects,
            Terms terms,
            SharedSnapshot first,
            FleetUsage fleet,
            @Nullable DormantWindow dormant,
            @Nullable Pace before,
            Moment now) {
        DormantWindow same = dormant != null && dormant.start() == terms.startMillis() ? dormant : null;
        long reported = same == null ? 0 : same.reported;
        Pace pace = dormant == null ? Pace.opened(before, now) : Pace.dormant(reported, dormant.chance(), terms, now);
        return new Account(
                subjects,
                terms,
                Stage.IDLE,
                Knowledge.opened(fleet, same != null, first),
                Books.opened(first.ungranted(), reported),
                Waits.NONE,
                pace,
                null,
                null,
                same == null ? now.nanos() : pace.changedNanos());
    }
}
