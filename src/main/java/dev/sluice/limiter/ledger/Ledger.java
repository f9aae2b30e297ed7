package dev.sluice.limiter.ledger;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all shared pools, as whoever exchanges with the store asks and tells of them: what calls have noted
 * ({@link NoteReader}), what to ask ({@link ClaimCollector}), what the answers mean ({@link AnswerReader}). Calls only
 * leave {@link #notes}; all else is done by one thread.
 */
public final class Ledger {

    public final Notes notes;

    private final int maximumCounters;
    private final OpenAccounts accounts = new OpenAccounts();
    private final Ticks ticks = new Ticks();
    private final LossRecovery recovery = new LossRecovery(accounts);
    private final ClaimCollector claims = new ClaimCollector(accounts, ticks, recovery);
    private final AnswerReader answers = new AnswerReader(accounts, claims);
    private final NoteReader reader;
    /** What decides while the store is away; {@code null} while it is not. */
    private @Nullable OnFailure alone;

    /**
     * Opens an empty ledger.
     *
     * @param maximumCounters that live at a time, idle ones and spent ones; so many that are gone may owe the store
     *     something while it is away
     */
    public Ledger(int maximumCounters) {
        this.notes = new Notes(2 * maximumCounters);
        this.maximumCounters = maximumCounters;
        this.reader = new NoteReader(notes, accounts, ticks, recovery, claims, maximumCounters);
    }

    public boolean isAnyAccount() {
        return !accounts.all().isEmpty();
    }

    // ---- What calls have done

    /** Reads what calls have noted. */
    public void readNotes(Moment now) {
        reader.read(alone, now);
    }

    /** Looks at the accounts whose time has come; whether some have something to ask now. */
    public boolean tick(Moment now) {
        return ticks.visit(now, (account, intervalEnds) -> look(account, intervalEnds, now));
    }

    /** Looks at an active account; whether it has something to ask now. */
    private boolean look(Account account, boolean intervalEnds, Moment now) {
        if (account.isClosed()) {
            return false;
        }
        boolean isDue = account.due.atTick(intervalEnds, now);
        if (isDue) {
            claims.addDue(account);
        }
        if (!accounts.closeIfDone(account, now)) {
            account.rest(now);
        }
        if (alone != null && account.isActive()) {
            account.absence.begin(alone, now); // what was used since the last tick is used as of now
        }
        return isDue;
    }

    /** When the next tick is; {@link Long#MAX_VALUE} if no account is active. */
    public long nextTickNanos() {
        return ticks.nextNanos();
    }

    // ---- What to ask

    /** When the next account may ask for calls that wait, later than then; {@link Long#MAX_VALUE} if none waits. */
    public long nextUrgentNanos(long after) {
        return claims.nextUrgentNanos(after);
    }

    public boolean isAnyDue() {
        return claims.isAnyDue();
    }

    /** The claims of the next batch. */
    public List<Claim> collect(Moment now) {
        return claims.collect(now);
    }

    /** The last claims, as many as fit one batch, until there are none. */
    public List<Claim> collectLast(Moment now) {
        return claims.collectLast(now);
    }

    /** The claims that were collected last will never be applied. */
    public void forgetClaims() {
        claims.forgetClaims();
    }

    // ---- What the answers mean

    /** The store has applied these claims, which were collected last. */
    public void apply(List<Claim> applied, Batch.Reply reply, Moment now) {
        answers.apply(applied, reply, now);
    }

    /** How many calls were admitted beyond their limits, as far as was learnt since this was asked last. */
    public long takeOverLimit() {
        return answers.takeOverLimit();
    }

    /** News of other instances. */
    public void hear(News news, Moment now) {
        answers.hear(news, now);
    }

    /** Calls have waited too long: they are refused, or the policy decides on them. */
    public void endLongWaits(long beforeNanos, OnFailure policy, Moment now) {
        answers.endLongWaits(beforeNanos, policy, now);
    }

    /**
     * The store has lost what it was told before.
     *
     * @param applied the last batches that it had applied
     */
    public void lose(Loss loss, List<AppliedBatches.Entry> applied, Moment now) {
        recovery.lose(loss, applied, now).forEach(account -> claims.activateDue(account, now));
    }

    // ---- Without the store

    /**
     * The store is away; until it is heard again, each pool may use what the policy says. Accounts that mean nothing
     * any more are closed.
     *
     * @return how many debts were written off, because more counters have gone that owe the store something than can be
     *     remembered
     */
    public int goAlone(OnFailure policy, Moment now) {
        alone = policy;
        List<Account> gone = new ArrayList<>();
        for (Account account : List.copyOf(accounts.all())) {
            if (accounts.closeIfDone(account, now)) {
                continue;
            }
            account.absence.begin(policy, now);
            account.pool.waiting.wakeAll();
            if (account.pool.permits.isClosed() && !account.hasUndecidedCalls()) {
                gone.add(account);
            }
        }
        return accounts.writeOff(gone, maximumCounters);
    }

    /** The store is back: all accounts have something to say. */
    public void endAlone(Moment now) {
        alone = null;
        for (Account account : accounts.all()) {
            account.absence.end(now);
            if (account.isActive() || !account.isIdle(now)) {
                claims.activateDue(account, now); // calls were not noted meanwhile
            }
        }
    }
}
