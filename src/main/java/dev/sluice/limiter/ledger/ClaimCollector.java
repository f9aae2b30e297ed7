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

/** Collects the claims of the next batch, from the accounts that have something to ask. For one thread. */
final class ClaimCollector {

    /**
     * More claims than this wait for the next exchange: a flood of new callers is not to keep others waiting for as
     * long as a timeout.
     */
    static final int LARGEST_BATCH = 1_000;

    /** Of these, accounts that the store knows take no more than this; the rest is for newcomers. */
    private static final int MOST_KNOWN = LARGEST_BATCH * 9 / 10;

    /** With more active accounts than this, those that run low soon are not looked for at each exchange. */
    private static final int MOST_LOOKED_AT = 1_000;

    private static final Comparator<Claim> EARLIER_WINDOWS_FIRST =
            Comparator.comparingLong(claim -> claim.key().start());

    /** Calls wait for these, or other instances do. */
    final AccountQueue urgent = new AccountQueue();
    /** These have something to ask soon. */
    final AccountQueue due = new AccountQueue();

    private final OpenAccounts accounts;
    private final Ticks ticks;
    private final LossRecovery recovery;
    /** Whose claims were collected last, and were not answered yet. */
    private final Map<CounterKey, Account> claimed = new HashMap<>();

    ClaimCollector(OpenAccounts accounts, Ticks ticks, LossRecovery recovery) {
        this.accounts = accounts;
        this.ticks = ticks;
        this.recovery = recovery;
    }

    /** When the next account may ask for calls that wait, later than then; {@link Long#MAX_VALUE} if none waits. */
    long nextUrgentNanos(long after) {
        return urgent.earliest(account -> {
            long ask = account.recall.askNanos();
            return ask > after ? ask : Long.MAX_VALUE;
        });
    }

    boolean isAnyDue() {
        return !due.isEmpty() || recovery.isAnyClaim();
    }

    /** The account has something to ask soon; one whose pool is over goes before later ones of its key. */
    void addDue(Account account) {
        if (account.pool.permits.isClosed()) {
            accounts.addClosing(account);
        }
        due.add(account);
    }

    /** The account is looked at from now on, and has something to ask soon. */
    void activateDue(Account account, Moment now) {
        ticks.activate(account, now);
        due.add(account);
    }

    /**
     * The claims of a batch: first for calls that wait, then of accounts whose time has come, those that the store
     * knows before those it does not. Those of earlier windows come first in it, since a frame returns what the next
     * one asks for.
     */
    List<Claim> collect(Moment now) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        recovery.moveTo(claims, LARGEST_BATCH);
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

    /** What runs low soon is filled up with what has to be asked now: fewer round trips. */
    private void fillUpSoon(Moment now) {
        if (ticks.active() <= MOST_LOOKED_AT) {
            ticks.forEach(account -> {
                if (account.due.isLowSoon(now)) {
                    due.add(account);
                }
            });
        }
    }

    /**
     * The last claims, as many as fit one batch, until there are none: what was used is told, what is held returned.
     */
    List<Claim> collectLast(Moment now) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        for (Account account : List.copyOf(accounts.all())) {
            if (claims.size() >= LARGEST_BATCH) {
                break;
            }
            account.pool.permits.close();
            if (canBeClaimed(account) && account.hasLastNews()) {
                ask(account, false, claims, now);
            }
        }
        return claims;
    }

    /**
     * Whether no earlier account of the same key has something left to tell, and no call is undecided in a pool that is
     * over.
     */
    private boolean canBeClaimed(Account account) {
        return accounts.isNext(account)
                && !account.isAsking()
                && !claimed.containsKey(account.key)
                && !(account.pool.permits.isClosed() && account.hasUndecidedCalls());
    }

    private void ask(Account account, boolean regular, List<Claim> claims, Moment now) {
        if (!account.pool.waiting.isEmpty()) {
            account.recall.waitsNow(now);
        }
        Claim claim = account.claims.next(regular, now);
        if (!account.pool.waiting.isEmpty() && account.pool.permits.left() > 0) {
            account.pool.waiting.wakeAll(); // a call has given something back
        }
        if (claim != null) {
            claims.add(claim);
            claimed.put(account.key, account);
        } else {
            accounts.closeIfDone(account, now);
        }
    }

    /** Whose claims were collected last, and were not answered yet. */
    Collection<Account> claimed() {
        return claimed.values();
    }

    /** Who has made the claim of that counter which was collected last; {@code null} if it was answered, or no account's. */
    @Nullable Account claimedBy(CounterKey key) {
        return claimed.get(key);
    }

    /** The claim of that counter is answered. */
    void answered(CounterKey key) {
        claimed.remove(key);
    }

    /** The claims that were collected last will never be applied. */
    void forgetClaims() {
        for (Account account : claimed.values()) {
            account.answers.forgetClaim();
            due.add(account);
        }
        claimed.clear();
    }
}
