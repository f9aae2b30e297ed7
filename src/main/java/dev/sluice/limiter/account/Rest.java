package dev.sluice.limiter.account;

import dev.sluice.limiter.account.Pace.CallRate;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.shared.PoolAtRest;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.SharedSnapshot;

/**
 * When a counter may rest, what is kept of its account then, and how the account is opened again: as it was, but for what is
 * forgotten after a lease anyway.
 */
public final class Rest {

    private Rest() {}

    /** Whether nobody has called for a lease. */
    public static boolean isTime(Account account, Moment now) {
        return now.isAfter(account.pace().changedNanos(), account.terms().leaseMillis());
    }

    /**
     * Whether a few numbers say all that matters of an account: all is reported, nothing is held, awaited or under way, and the
     * store's last answer holds. Of a limit that is used up, news tell when something comes back, so it stays until its window is
     * over.
     */
    public static boolean isPossible(Account account, Totals totals, Moment now) {
        Knowledge known = account.known();
        long usedUpUntilMillis =
                Math.min(known.usedUp().untilMillis(), account.terms().endMillis());
        return account.stage() == Stage.IDLE
                && isTime(account, now)
                && account.isQuiet(totals, now)
                && totals.overdrawn() == 0
                && known.isAnswered()
                && known.absence() == null
                && (known.alone() == null || known.alone().isAsNew())
                && now.millis() >= usedUpUntilMillis
                && known.fleet().windowTotal().isPresent();
    }

    /** What is kept of an account for which this {@linkplain #isPossible is possible}. */
    public static PoolAtRest of(Account account, SharedPool pool) {
        Books books = account.books();
        long total = account.known().fleet().windowTotal().orElseThrow();
        return new PoolAtRest(
                pool,
                total,
                books.reported(),
                books.ungranted(),
                account.known().isCalm(),
                account.pace().leisure().chance());
    }

    /**
     * The account of a pool that is opened after a rest in the same window.
     *
     * @param fleet the fleet's usage at the store's last answer
     * @param first what calls know
     */
    public static Account reopened(Terms terms, PoolAtRest rest, FleetUsage fleet, SharedSnapshot first, Moment now) {
        Pace pace = pace(rest, terms, now);
        return new Account(
                terms,
                Stage.IDLE,
                Knowledge.answeredBefore(fleet, rest.isCalm, first.mode()),
                new Books(first.ungranted(), rest.reported, 0, 0, Uses.NONE),
                Recall.NONE,
                new Pace(pace.rate(), rest.reported, pace.changedNanos(), pace.leisure(), false, 0),
                null,
                null,
                pace.changedNanos());
    }

    /** The pace at the end of a rest. */
    public static Pace pace(PoolAtRest rest, Terms terms, Moment now) {
        CallRate none = CallRate.none(terms.everyMillis() * 1_000_000, now.nanos());
        long longAgo = now.nanos() - terms.leaseMillis() * 1_000_000;
        return new Pace(none, 0, longAgo, new Leisure(longAgo, 0, rest.chance()), false, 0);
    }
}
