package dev.sluice.limiter.ledger;

import dev.sluice.exchange.Batch.Loss;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accounts of all shared pools. Calls only add {@link #requests}; everything else is for one thread. */
public final class Ledger {

    /** The checks that calls requested. */
    public final CheckRequests requests;

    private final int maximumCounters;
    private final OpenAccounts accounts = new OpenAccounts();
    private final Ticks ticks = new Ticks();
    private final OrphanClaims orphans = new OrphanClaims();
    private final LossRecovery recovery = new LossRecovery(accounts, orphans);

    /** Collects the claims of each batch. */
    public final ClaimCollector claims = new ClaimCollector(accounts, ticks, orphans);
    /** Applies the store's answers, and news of other instances. */
    public final AnswerReader answers = new AnswerReader(accounts, claims);

    private final CheckRequestReader reader;
    /** What decides while the store is away; {@code null} while it answers. */
    private @Nullable OnFailure awayPolicy;

    /**
     * Opens an empty ledger.
     *
     * @param maximumCounters the most counters in memory; while the store is away, as many evicted counters with
     *     unreported use are kept
     */
    public Ledger(int maximumCounters) {
        this.requests = new CheckRequests(2 * maximumCounters);
        this.maximumCounters = maximumCounters;
        this.reader = new CheckRequestReader(requests, accounts, ticks, orphans, claims, maximumCounters);
    }

    public boolean isAnyAccount() {
        return !accounts.all().isEmpty();
    }

    /** Processes requested checks. */
    public void processRequests(Moment now) {
        reader.process(awayPolicy, now);
    }

    /** Checks the accounts whose tick is due; returns whether some have a claim to send now. */
    public boolean tick(Moment now) {
        return ticks.visit(now, (account, intervalEnds) -> look(account, intervalEnds, now));
    }

    /** Checks an active account; returns whether it has a claim to send now. */
    private boolean look(Account account, boolean intervalEnds, Moment now) {
        if (account.isClosed()) {
            return false;
        }
        boolean isDue = account.due.atTick(intervalEnds, now);
        if (isDue) {
            claims.addDue(account);
        }
        if (!accounts.closeIfDone(account, now)) {
            account.idleIfReported(now);
        }
        if (awayPolicy != null && account.isActive()) {
            account.absence.begin(awayPolicy, now); // what was used since the last tick counts as used now
        }
        return isDue;
    }

    /** When the next tick is; {@link Long#MAX_VALUE} if no account is active. */
    public long nextTickNanos() {
        return ticks.nextNanos();
    }

    /**
     * The store lost what was reported before.
     *
     * @param applied the last batches that it applied
     */
    public void lost(Loss loss, List<AppliedBatches.Entry> applied, Moment now) {
        recovery.lost(loss, applied, now).forEach(account -> claims.activateDue(account, now));
    }

    /**
     * The store is away: until it answers, each pool may use what the policy says. Accounts that do not matter any more
     * are closed.
     *
     * @return how many accounts with unreported use were dropped, because more counters were evicted than can be kept
     */
    public int beginAbsence(OnFailure policy, Moment now) {
        awayPolicy = policy;
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

    /** The store answers again: all accounts report. */
    public void endAbsence(Moment now) {
        awayPolicy = null;
        for (Account account : accounts.all()) {
            account.absence.end(now);
            if (account.isActive() || !account.isIdle(now)) {
                claims.activateDue(account, now); // calls requested no checks meanwhile
            }
        }
    }
}
