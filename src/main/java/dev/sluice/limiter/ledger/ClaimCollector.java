package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collects the claims of the next batch. Not safe for several threads. */
public final class ClaimCollector {

    /** The most claims of a batch: a flood of new callers must not delay others for as long as a timeout. */
    static final int LARGEST_BATCH = 1_000;

    /** The most of these for accounts that the store knows; the rest is for newcomers. */
    private static final int MOST_KNOWN = LARGEST_BATCH * 9 / 10;

    /** With more active accounts than this, an exchange does not look for those that run low soon. */
    private static final int MOST_LOOKED_AT = 1_000;

    private static final Comparator<Claim> EARLIER_WINDOWS_FIRST =
            Comparator.comparingLong(claim -> claim.key().start());

    /** Accounts for which calls here or other instances wait. */
    final AccountQueue urgent = new AccountQueue();
    /** Accounts with a claim to send soon. */
    final AccountQueue due = new AccountQueue();

    private final OpenAccounts accounts;
    private final Ticks ticks;
    private final OrphanClaims orphans;
    /** The accounts whose claims were collected last and are unanswered, by key. */
    private final Map<CounterKey, Account> claimed = new HashMap<>();

    ClaimCollector(OpenAccounts accounts, Ticks ticks, OrphanClaims orphans) {
        this.accounts = accounts;
        this.ticks = ticks;
        this.orphans = orphans;
    }

    /**
     * The next time after this one at which an account may ask for waiting calls; {@link Long#MAX_VALUE} if none waits.
     */
    public long nextUrgentNanos(long after) {
        return urgent.earliest(account -> {
            long ask = account.recall.askNanos();
            return ask > after ? ask : Long.MAX_VALUE;
        });
    }

    /** Whether there is a claim to send soon. */
    public boolean isAnyDue() {
        return !due.isEmpty() || !orphans.isEmpty();
    }

    /** Adds an account with a claim to send soon. If its pool is over, it goes before later ones with its key. */
    void addDue(Account account) {
        if (account.pool.permits.isClosed()) {
            accounts.closing.add(account);
        }
        due.add(account);
    }

    /** Activates an account that has a claim to send soon. */
    void activateDue(Account account, Moment now) {
        ticks.activate(account, now);
        due.add(account);
    }

    /**
     * The claims of a batch: first for waiting calls, then for due accounts, those that the store knows before
     * newcomers. They are sorted by window, since a frame may return what the next one needs.
     */
    public List<Claim> collect(Moment now) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        orphans.moveTo(claims, LARGEST_BATCH);
        fillUpSoon(now);
        Predicate<Account> mayAsk = account -> canBeClaimed(account) && now.nanos() - account.recall.askNanos() >= 0;
        urgent.takeKnown(mayAsk, LARGEST_BATCH, account -> ask(account, false, claims, now));
        due.takeKnown(this::canBeClaimed, MOST_KNOWN - claims.size(), account -> ask(account, true, claims, now));
        urgent.takeNewcomers(mayAsk, LARGEST_BATCH - claims.size(), account -> ask(account, false, claims, now));
        due.takeNewcomers(
                this::canBeClaimed, LARGEST_BATCH - claims.size(), account -> ask(account, true, claims, now));
        claims.sort(EARLIER_WINDOWS_FIRST);
        return claims;
    }

    /** Adds shares that run low soon, which saves round trips. */
    private void fillUpSoon(Moment now) {
        if (ticks.active() <= MOST_LOOKED_AT) {
            ticks.forEach(account -> {
                if (account.due.isLowSoon(now)) {
                    due.add(account);
                }
            });
        }
    }

    /** The final claims, as many as fit into one batch; none once everything is reported and returned. */
    public List<Claim> collectLast(Moment now) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        for (Account account : List.copyOf(accounts.all())) {
            if (claims.size() >= LARGEST_BATCH) {
                break;
            }
            account.pool.permits.close();
            if (canBeClaimed(account) && account.hasFinalClaim()) {
                ask(account, false, claims, now);
            }
        }
        return claims;
    }

    /**
     * Whether no earlier account with the same key has something to report, and no call of a closed pool is undecided.
     */
    private boolean canBeClaimed(Account account) {
        return accounts.closing.isNext(account)
                && !account.isAsking()
                && !claimed.containsKey(account.key)
                && !(account.pool.permits.isClosed() && account.hasUndecidedCalls());
    }

    private void ask(Account account, boolean regular, List<Claim> claims, Moment now) {
        if (!account.pool.waiting.isEmpty()) {
            account.recall.waitsNow(now);
        }
        Claim claim = account.claims.next(regular, now);
        if (claim != null) {
            claims.add(claim);
            claimed.put(account.key, account);
        } else {
            accounts.closeIfDone(account, now);
        }
    }

    /** The accounts whose claims were collected last and are unanswered. */
    Collection<Account> claimed() {
        return claimed.values();
    }

    /** The account that made the collected claim with this key; {@code null} if it was answered, or is no account's. */
    @Nullable Account claimedBy(CounterKey key) {
        return claimed.get(key);
    }

    /** Records that the claim with this key is answered. */
    void answered(CounterKey key) {
        claimed.remove(key);
    }

    /** The claims that were collected last will not be applied. */
    public void forgetClaims() {
        for (Account account : claimed.values()) {
            account.answers.forgetClaim();
            due.add(account);
        }
        claimed.clear();
    }
}
