package dev.sluice.limiter.ledger;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.jspecify.annotations.Nullable;

/**
 * Processes requested checks: opens accounts, and finds out which have a claim to send. Not safe for several threads.
 */
final class CheckRequestReader {

    /** The most requests to process at a time, so that it ends even if calls add them as fast. */
    private static final int MOST_REQUESTS = 20_000;

    private final CheckRequests requests;
    private final OpenAccounts accounts;
    private final Ticks ticks;
    private final OrphanClaims orphans;
    private final ClaimCollector claims;
    private final int maximumCounters;

    CheckRequestReader(
            CheckRequests requests,
            OpenAccounts accounts,
            Ticks ticks,
            OrphanClaims orphans,
            ClaimCollector claims,
            int maximumCounters) {
        this.requests = requests;
        this.accounts = accounts;
        this.ticks = ticks;
        this.orphans = orphans;
        this.claims = claims;
        this.maximumCounters = maximumCounters;
    }

    /**
     * Processes all requested checks.
     *
     * @param awayPolicy what decides while the store is away; {@code null} while it answers
     */
    void process(@Nullable OnFailure awayPolicy, Moment now) {
        for (int read = 0; read < MOST_REQUESTS; read++) {
            SharedPool pool = requests.nextOpened();
            if (pool == null) {
                break;
            }
            if (pool.attachment instanceof Account account) {
                check(account, awayPolicy, now);
            }
        }
        for (int read = 0; read < MOST_REQUESTS && accounts.newcomers() < 2 * maximumCounters; read++) {
            SharedPool pool = requests.nextNewcomer();
            if (pool == null) {
                break;
            }
            check(open(pool, awayPolicy, now), awayPolicy, now);
        }
    }

    private Account open(SharedPool pool, @Nullable OnFailure awayPolicy, Moment now) {
        if (pool.attachment instanceof Account known) {
            return known;
        }
        Account account = new Account(pool, now);
        pool.attachment = account;
        if (awayPolicy == null) {
            account.absence.end(now); // it may have been opened while the store was away
        }
        Account before = accounts.add(account);
        Claim orphan = orphans.remove(account.key);
        if (orphan != null) {
            account.answers.lost(orphan, now.millis());
        }
        if (before != null) {
            succeed(before, account);
        }
        return account;
    }

    /** A counter was evicted, or replaced by one with another limit: the store has both under one key. */
    private void succeed(Account before, Account account) {
        before.pool.counter.retire();
        if (account.takeOverPlaces(before)) {
            accounts.close(before);
        } else {
            accounts.closing.add(before);
            claims.due.add(before);
        }
    }

    private void check(Account account, @Nullable OnFailure awayPolicy, Moment now) {
        if (account.isClosed()) {
            Account successor = account.successor();
            if (successor != null) {
                check(successor, awayPolicy, now); // a call ended whose place the successor reports
            } else if (account.reopen(now)) {
                refundLate(account, awayPolicy, now);
            }
            return;
        }
        ticks.activate(account, now);
        if (account.pool.permits.isClosed()) {
            claims.addDue(account);
            account.pool.waiting.wakeAll();
        } else if (awayPolicy != null) {
            account.absence.begin(awayPolicy, now); // permits may have come back with time
            account.pool.waiting.wakeAll();
        } else if (!account.pool.waiting.isEmpty()) {
            account.recall.waitsNow(now);
            claims.urgent.add(account);
        } else if (account.due.isAtOnce(now)) {
            claims.urgent.add(account);
        } else if (account.due.isSoon(now)) {
            claims.due.add(account);
        }
    }

    /**
     * A call ended that was counted in a window which is over, and does not count after all. If that frame still
     * counts, the present window gets what it returns: both send a claim, so that other instances learn of it.
     */
    private void refundLate(Account account, @Nullable OnFailure awayPolicy, Moment now) {
        accounts.addAgain(account);
        ticks.activate(account, now);
        claims.urgent.add(account);
        boolean weighsLater = account.pool.counter.family.compiledLimit.frames > 0;
        if (weighsLater && account.pool.counter.at(now.millis()) instanceof SharedPool present) {
            Account later = open(present, awayPolicy, now);
            ticks.activate(later, now);
            later.recall.demand(now);
            claims.urgent.add(later);
        }
    }
}
