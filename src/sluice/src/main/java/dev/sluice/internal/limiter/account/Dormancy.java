package dev.sluice.internal.limiter.account;

import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.shared.DormantPool;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * How the account of a pool begins, and how it ends when the counter becomes dormant: what is kept meanwhile, and how
 * the account is opened again as it was, except for what would be forgotten after a lease anyway.
 */
public final class Dormancy {

    private Dormancy() {}

    /** When nobody will have called for a lease, unless somebody does. */
    public static long earliestNanos(Account account) {
        return account.pace().changedNanos() + account.terms().leaseMillis() * 1_000_000;
    }

    /**
     * Whether a few numbers say all that matters of an account: everything is reported, nothing is held, awaited or
     * in flight, and the store's last answer is still valid. An account of a used-up limit needs the news about it, so
     * it does not become dormant before its window is over.
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
     * Closes the pool of an account that {@linkplain #isPossible may become dormant}. Returns what takes the place of
     * both; {@code null} if the counter already has another pool. A call may take some slack meanwhile: only the
     * remaining slack is kept.
     */
    public static @Nullable DormantPool begin(Account account, SharedPool pool) {
        Books books = account.books();
        long total = account.known().fleet().windowTotal().orElseThrow();
        boolean isCalm = account.known().isCalm();
        float chance = account.pace().chance();
        DormantPool closing = new DormantPool(pool, total, books.reported(), 0, isCalm, chance);
        if (!pool.windows().makeDormant(pool, closing)) {
            return null;
        }
        long slack = Math.min(books.ungranted(), pool.permits.number());
        DormantPool kept = new DormantPool(pool, total, books.reported(), slack, isCalm, chance);
        return pool.windows().makeDormant(closing, kept) ? kept : closing;
    }

    /** The account of a pool that is new, or is no longer dormant. It takes over the pace of the previous window. */
    public static Account opened(SharedPool pool, Terms terms, @Nullable Pace before, Moment now) {
        DormantPool dormant = pool.dormant();
        DormantPool same = dormant != null && dormant.start() == pool.start() ? dormant : null;
        SharedSnapshot first = pool.snapshot;
        FleetUsage fleet = same == null
                ? terms.limit().initialUsage(pool.windows().history.frames.before(pool.start()))
                : same.usage(terms.limit());
        Knowledge known = Knowledge.opened(fleet, same != null, first);
        long reported = same == null ? 0 : same.reported;
        Books books = new Books(first.ungranted(), reported, 0, 0, Uses.NONE);
        Pace pace = dormant == null ? Pace.opened(before, now) : Pace.dormant(reported, dormant.chance(), terms, now);
        long stated = same == null ? now.nanos() : pace.changedNanos();
        return new Account(pool.subjects(), terms, Stage.IDLE, known, books, Waits.NONE, pace, null, null, stated);
    }
}
