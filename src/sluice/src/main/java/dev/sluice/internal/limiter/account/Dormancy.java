package dev.sluice.internal.limiter.account;

import dev.sluice.Subject;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.shared.DormantWindow;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the account of a pool is opened, and how it ends when its counter becomes dormant. While the counter is dormant,
 * a few numbers represent the account. They are enough to reopen it as it was, except for facts that would expire after
 * a lease anyway.
 */
public final class Dormancy {

    private Dormancy() {}

    /** Returns the earliest time at which the counter may become dormant: one lease after the latest call. */
    public static long earliestNanos(Account account) {
        return account.pace().changedNanos() + account.terms().leaseMillis() * 1_000_000;
    }

    /**
     * Whether a few numbers can replace an account. They can if everything is reported, nothing is held, awaited or in
     * flight, and the store's latest answer is still valid. An account of a used-up limit needs news about it, so it
     * does not become dormant before the end of its window.
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
     * @param dormant the numbers stored while this window or an earlier one was dormant; {@code null} if none was
     * @param before the pace in the previous window, with which the account continues; {@code null} if there was none
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
