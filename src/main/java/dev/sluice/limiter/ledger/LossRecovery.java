package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what has to be told once more to a store that has lost counts: by the accounts concerned, or, of counters
 * that have none any more, by claims that wait here. For one thread.
 */
final class LossRecovery {

    private final OpenAccounts accounts;
    private final OrphanClaims orphans = new OrphanClaims();

    /** Nothing is lost yet. */
    LossRecovery(OpenAccounts accounts) {
        this.accounts = accounts;
    }

    /** Whether claims wait that no account makes. */
    boolean isAnyClaim() {
        return !orphans.isEmpty();
    }

    /** Moves claims that no account makes to a batch, until that has so many. */
    void moveTo(List<Claim> batch, int most) {
        orphans.moveTo(batch, most);
    }

    /** Takes out what is to be told of that counter, which has an account from now on; {@code null} if nothing is. */
    @Nullable Claim remove(CounterKey key) {
        return orphans.remove(key);
    }

    /**
     * The store has lost what it was told before; which accounts have something to tell now.
     *
     * @param applied the last batches that it had applied
     */
    List<Account> lose(Loss loss, List<AppliedBatches.Entry> applied, Moment now) {
        List<Account> concerned = new ArrayList<>();
        if (loss.afterSequence() == 0) {
            loseAll(loss, concerned);
            return concerned;
        }
        for (AppliedBatches.Entry entry : applied) {
            if (entry.batch().sequence() > loss.afterSequence()) {
                entry.batch().claims().stream()
                        .filter(claim -> loss.concerns(claim.key()))
                        .forEach(claim -> lose(claim, entry.sentMillis(), concerned, now));
            }
        }
        return concerned;
    }

    private void loseAll(Loss loss, List<Account> concerned) {
        for (Account account : accounts.all()) {
            account.claims
                    .framesBefore()
                    .filter(claim -> loss.concerns(claim.key()))
                    .forEach(this::addOrphan);
            if (loss.concerns(account.key)) {
                account.answers.lose(null, 0);
                concerned.add(account);
            }
        }
    }

    private void lose(Claim claim, long sentMillis, List<Account> concerned, Moment now) {
        Account account = accounts.latest(claim.key().text());
        if (account != null) {
            account.answers.lose(claim, sentMillis);
            concerned.add(account);
        } else {
            addOrphan(OrphanClaims.aged(claim, now.millis() - sentMillis));
        }
    }

    private void addOrphan(Claim claim) {
        if (accounts.latest(claim.key().text()) == null) {
            orphans.add(claim);
        }
    }
}
