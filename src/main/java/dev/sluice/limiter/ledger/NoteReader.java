package dev.sluice.limiter.ledger;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.jspecify.annotations.Nullable;

/** Reads what calls have noted: opens accounts, and finds out which have something to ask. For one thread. */
final class NoteReader {

    /** More notes than this are not read at a time, so that there is an end even if calls write as fast. */
    private static final int MOST_NOTES = 20_000;

    private final Notes notes;
    private final OpenAccounts accounts;
    private final Ticks ticks;
    private final LossRecovery recovery;
    private final ClaimCollector claims;
    private final int maximumCounters;

    NoteReader(
            Notes notes,
            OpenAccounts accounts,
            Ticks ticks,
            LossRecovery recovery,
            ClaimCollector claims,
            int maximumCounters) {
        this.notes = notes;
        this.accounts = accounts;
        this.ticks = ticks;
        this.recovery = recovery;
        this.claims = claims;
        this.maximumCounters = maximumCounters;
    }

    /**
     * Reads all notes that there are.
     *
     * @param alone what decides while the store is away; {@code null} while it is not
     */
    void read(@Nullable OnFailure alone, Moment now) {
        for (int read = 0; read < MOST_NOTES; read++) {
            SharedPool pool = notes.nextOpened();
            if (pool == null) {
                break;
            }
            if (pool.attachment instanceof Account account) {
                touch(account, alone, now);
            }
        }
        for (int read = 0; read < MOST_NOTES && accounts.unheard() < 2 * maximumCounters; read++) {
            SharedPool pool = notes.nextNewcomer();
            if (pool == null) {
                break;
            }
            touch(open(pool, alone, now), alone, now);
        }
    }

    private Account open(SharedPool pool, @Nullable OnFailure alone, Moment now) {
        if (pool.attachment instanceof Account known) {
            return known;
        }
        Account account = new Account(pool, now);
        pool.attachment = account;
        if (alone == null) {
            account.absence.end(now); // it may have been born while the store was away
        }
        Account before = accounts.add(account);
        Claim orphan = recovery.remove(account.key);
        if (orphan != null) {
            account.answers.lose(orphan, now.millis());
        }
        if (before != null) {
            succeed(before, account);
        }
        return account;
    }

    /** A counter was evicted, or replaced by one with other figures: the store knows both under one key. */
    private void succeed(Account before, Account account) {
        before.pool.counter.retire();
        if (account.takeOverPlaces(before)) {
            accounts.close(before);
        } else {
            accounts.addClosing(before);
            claims.due.add(before);
        }
    }

    private void touch(Account account, @Nullable OnFailure alone, Moment now) {
        if (account.isClosed()) {
            Account successor = account.successor();
            if (successor != null) {
                touch(successor, alone, now); // a call has ended whose place it reports
            } else if (account.reopen(now)) {
                returnLate(account, alone, now);
            }
            return;
        }
        ticks.activate(account, now);
        if (account.pool.permits.isClosed()) {
            claims.addDue(account);
            account.pool.waiting.wakeAll();
        } else if (alone != null) {
            account.absence.begin(alone, now); // time may have brought something back
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
     * A call has ended that was counted in a window which is over, and does not count after all. What it returns is
     * there for the present window too, if frames weigh in it: that is claimed of with it, so that others hear of it.
     */
    private void returnLate(Account account, @Nullable OnFailure alone, Moment now) {
        accounts.addAgain(account);
        ticks.activate(account, now);
        claims.urgent.add(account);
        boolean weighsLater = account.pool.counter.family.compiledLimit.frames > 0;
        if (weighsLater && account.pool.counter.at(now.millis()) instanceof SharedPool present) {
            Account later = open(present, alone, now);
            ticks.activate(later, now);
            later.recall.demand(now);
            claims.urgent.add(later);
        }
    }
}
