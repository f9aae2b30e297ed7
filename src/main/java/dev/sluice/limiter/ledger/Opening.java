package dev.sluice.limiter.ledger;

import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.account.Moment;
import dev.sluice.limiter.account.Pace;
import dev.sluice.limiter.account.Rest;
import dev.sluice.limiter.account.Terms;
import dev.sluice.limiter.counter.Window;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.rule.Slack;
import dev.sluice.limiter.shared.PoolAtRest;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.tier.Sync;
import org.jspecify.annotations.Nullable;

/** How the account of a pool begins: anew, with the pace of the window before, or as it was before its counter came to rest. */
final class Opening {

    private Opening() {}

    /** What never changes of the account of a window. */
    static Terms terms(Window window, SharedLimit limit) {
        Sync sync = window.counter.family.tier.sync();
        return new Terms(
                window.counter.keyAt(window.start),
                limit,
                window.counter.family.compiledLimit.isConcurrency,
                sync.strict(),
                sync.every().toMillis(),
                Slack.of(sync, window.counter.most(), window.start, window.end),
                window.start,
                window.end);
    }

    /**
     * The account of a pool.
     *
     * @param before the pace in the window before; {@code null} if that is not known
     */
    static Account account(SharedPool pool, Terms terms, @Nullable Pace before, Moment now) {
        PoolAtRest rest = pool.rest;
        if (rest != null && rest.start == pool.start) {
            return Rest.reopened(terms, rest, rest.usage(pool.limit), pool.snapshot, now);
        }
        FleetUsage fleet = pool.limit.initialUsage(pool.windows().history.frames.before(pool.start));
        return Account.opened(terms, fleet, pool.snapshot, rest == null ? before : Rest.pace(rest, terms, now), now);
    }
}
