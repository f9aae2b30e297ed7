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
 * Finds out what has to be reported again to a store that lost counts: by the accounts concerned or, for counters
 * without one, by claims that are kept here. Not safe for several threads.
 */
final class LossRecovery {

    private final OpenAccounts accounts;
    private final OrphanClaims orphans = new OrphanClaims();

    /** Creates it for these accounts. */
    LossRecovery(OpenAccounts accounts) {
        this.accounts = accounts;
    }

    /** Whether there are claims for counters without an account. */
    boolean isAnyClaim() {
        return !orphans.isEmpty();
    }

    /** Moves claims for counters without an account to a batch, up to this many claims. */
    void moveTo(List<Claim> batch, int most) {
        orphans.moveTo(batch, most);
    }

    /** Removes and returns the claim for a counter that now has an account; {@code null} if there is none. */
    @Nullable Claim remove(CounterKey key) {
        return orphans.remove(key);
    }

    /**
     * The store lost reports; returns the accounts that have to report again.
     *
     * @param applied the last batches that it applied
     */
    List<Account> lost(Loss loss, List<AppliedBatches.Entry> applied, Moment now) {
        List<Account> concerned = new ArrayList<>();
        if (loss.afterSequence() == 0) {
            allLost(loss, concerned);
            return concerned;
        }
        for (AppliedBatches.Entry entry : applied) {
            if (entry.batch().sequence() > loss.afterSequence()) {
                entry.batch().claims().stream()
                        .filter(claim -> loss.concerns(claim.key()))
                        .forEach(claim -> lost(claim, entry.sentMillis(), concerned, now));
            }
        }
        return concerned;
    }

    private void allLost(Loss loss, List<Account> concerned) {
        for (Account account : accounts.all()) {
            account.claims
                    .framesBefore()
                    .filter(claim -> loss.concerns(claim.key()))
                    .forEach(this::addOrphan);
            if (loss.concerns(account.key)) {
                account.answers.lost(null, 0);
                concerned.add(account);
            }
        }
    }

    private void lost(Claim claim, long sentMillis, List<Account> concerned, Moment now) {
        Account account = accounts.latest(claim.key().text());
        if (account != null) {
            account.answers.lost(claim, sentMillis);
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
