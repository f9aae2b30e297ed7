package dev.sluice.limiter.ledger;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out what has to be reported again to a store that lost counts: by the accounts concerned or, for counters
 * without one, by {@link OrphanClaims}. Not safe for several threads.
 */
final class LossRecovery {

    private final OpenAccounts accounts;
    private final OrphanClaims orphans;

    LossRecovery(OpenAccounts accounts, OrphanClaims orphans) {
        this.accounts = accounts;
        this.orphans = orphans;
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
