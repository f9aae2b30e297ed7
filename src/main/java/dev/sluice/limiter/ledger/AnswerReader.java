package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies answers of the store, and news of other instances, to accounts and waiting calls. Not safe for several
 * threads.
 */
public final class AnswerReader {

    private final OpenAccounts accounts;
    private final ClaimCollector claims;
    private long overLimit;

    AnswerReader(OpenAccounts accounts, ClaimCollector claims) {
        this.accounts = accounts;
        this.claims = claims;
    }

    /** Processes the answer to the claims that were collected last. */
    public void apply(List<Claim> applied, Batch.Reply reply, Moment now) {
        for (int i = 0; i < applied.size(); i++) {
            CounterKey key = applied.get(i).key();
            Account account = claims.claimedBy(key);
            if (account != null) {
                apply(account, applied.get(i), reply.grants().get(i), reply.appliedMillis(), now);
                claims.answered(key); // after an exception the claim stays, and is forgotten later
            }
        }
    }

    private void apply(Account account, Claim claim, Grant grant, long appliedMillis, Moment now) {
        accounts.answered(account);
        boolean isOld = account.answers.isNextOutdated();
        overLimit += account.answers.apply(claim, grant, appliedMillis, now);
        if (accounts.closeIfDone(account, now)) {
            return;
        }
        boolean waits = !account.pool.waiting.isEmpty();
        boolean recalls = waits && grant.needsRecall(claim);
        if (now.millis() >= account.pool.end || account.pool.permits.isClosed()) {
            account.pool.waiting.wakeAll(); // they look the counter up again
        } else if (grant.isShortOf(claim) && !recalls && !isOld) {
            account.pool.waiting.serveOrRefuse(account.pool.permits.left());
        } else if (account.isUsedUp()) {
            account.pool.waiting.wakeAll(); // they came while the claim was under way, and need not ask
        } else {
            account.pool.waiting.wakeCovered(account.pool.permits.left());
        }
        boolean asksAgain = account.pool.waiting.isAnyAsking();
        if (!asksAgain || !recalls) {
            account.recall.waitsNoMore();
        }
        if (asksAgain) {
            account.recall.waitsNow(now);
        }
        if (asksAgain || account.owesRefund() || account.recall.isDemanded()) {
            claims.urgent.add(account);
        }
    }

    /** How many calls were admitted over their limits, as found since the last call of this method. */
    public long takeOverLimit() {
        long taken = overLimit;
        overLimit = 0;
        return taken;
    }

    /** Processes news of other instances. */
    public void receive(News news, Moment now) {
        for (String key : news.keys()) {
            Account account = accounts.latest(key);
            if (account != null && account.needsNews()) {
                receive(account, news.kind(), now);
            }
        }
    }

    private void receive(Account account, News.Kind kind, Moment now) {
        if (kind == News.Kind.RECALLED) {
            if (account.mayHold()) {
                account.recall.demand(now);
                claims.urgent.add(account);
            }
        } else if (kind == News.Kind.FREED) {
            account.answers.freed(now);
            account.recall.askNow(now);
        } else if (account.answers.usedUp(now)) {
            account.recall.waitsNoMore();
            account.pool.waiting.wakeAll();
        }
    }

    /**
     * Ends waits that took too long. If other instances hold what is needed, the calls are refused, as the store would
     * answer; if the store has not answered, {@code onFailure} decides.
     */
    public void endLongWaits(long beforeNanos, OnFailure policy, Moment now) {
        List<Account> waiting = new ArrayList<>(claims.urgent.all());
        waiting.addAll(claims.claimed());
        for (Account account : waiting) {
            if (account.recall.isWaiting()
                    && !account.pool.waiting.isEmpty()
                    && account.recall.waitingSinceNanos() - beforeNanos <= 0) {
                if (account.recall.isUnanswered()) {
                    account.absence.decide(policy, now);
                } else {
                    account.answers.giveUpRecall(now);
                }
                account.pool.waiting.wakeAll();
            }
        }
    }
}
