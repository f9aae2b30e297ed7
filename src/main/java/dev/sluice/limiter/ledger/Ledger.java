package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.account.Moment;
import dev.sluice.limiter.account.Recall;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all shared pools: which have something to ask of the store and when, and whom its answers concern.
 * Calls only leave {@link #notes}; all else is done by one thread.
 */
public final class Ledger {

    /**
     * More claims than this wait for the next exchange: a flood of new callers is not to keep others waiting for as
     * long as a timeout.
     */
    static final int LARGEST_BATCH = 1_000;

    /** Of these, accounts that the store knows take no more than this; the rest is for newcomers. */
    private static final int MOST_KNOWN = LARGEST_BATCH * 9 / 10;

    /** More notes than this are not read at a time, so that there is an end even if calls write as fast. */
    private static final int MOST_NOTES = 20_000;

    /** With more active accounts than this, those that run low soon are not looked for at each exchange. */
    private static final int MOST_LOOKED_AT = 1_000;

    private static final Comparator<Claim> EARLIER_WINDOWS_FIRST =
            Comparator.comparingLong(claim -> claim.key().start());

    public final Notes notes;

    private final int maximumCounters;
    private final OpenAccounts accounts = new OpenAccounts();
    private final Ticks ticks = new Ticks();
    /** Calls wait for these, or other instances do. */
    private final AccountQueue urgent = new AccountQueue();
    /** These have something to ask soon. */
    private final AccountQueue due = new AccountQueue();

    private final Map<CounterKey, Account> claimed = new HashMap<>();
    private final LossRecovery recovery = new LossRecovery(accounts);

    private long overLimit;
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
    }

    // ---- What calls have noted

    /** Reads what calls have noted. */
    public void readNotes(Moment now) {
        for (int read = 0; read < MOST_NOTES; read++) {
            SharedPool pool = notes.nextOpened();
            if (pool == null) {
                break;
            }
            if (pool.attachment instanceof Account account) {
                touch(account, now);
            }
        }
        for (int read = 0; read < MOST_NOTES && accounts.unheard() < 2 * maximumCounters; read++) {
            SharedPool pool = notes.nextNewcomer();
            if (pool == null) {
                break;
            }
            touch(open(pool, now), now);
        }
    }

    private Account open(SharedPool pool, Moment now) {
        if (pool.attachment instanceof Account known) {
            return known;
        }
        Account account = new Account(pool, now);
        pool.attachment = account;
        if (alone == null) {
            account.endAlone(now); // it may have been born while the store was away
        }
        Account before = accounts.add(account);
        Claim orphan = recovery.remove(account.key);
        if (orphan != null) {
            account.lose(orphan, now.millis());
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
            due.add(before);
        }
    }

    private void touch(Account account, Moment now) {
        if (account.isClosed()) {
            Account successor = account.successor();
            if (successor != null) {
                touch(successor, now); // a call has ended whose place it reports
            } else if (account.reopen(now)) {
                returnLate(account, now);
            }
            return;
        }
        activate(account, now);
        if (account.pool.permits.isClosed()) {
            addDue(account);
            account.pool.waiting.wakeAll();
        } else if (alone != null) {
            account.goAlone(alone, now); // time may have brought something back
            account.pool.waiting.wakeAll();
        } else if (!account.pool.waiting.isEmpty()) {
            account.recall.waitsNow(now);
            urgent.add(account);
        } else if (account.owesRefund() || account.isUsedUpByCharges(now)) {
            urgent.add(account);
        } else if (account.isLow() || account.hasManyCharges(now) || account.asksAgain(now)) {
            due.add(account);
        }
    }

    /**
     * A call has ended that was counted in a window which is over, and does not count after all. What it returns is
     * there for the present window too, if frames weigh in it: that is claimed of with it, so that others hear of it.
     */
    private void returnLate(Account account, Moment now) {
        accounts.addAgain(account);
        activate(account, now);
        urgent.add(account);
        boolean weighsLater = account.pool.counter.family.compiledLimit.frames > 0;
        if (weighsLater && account.pool.counter.at(now.millis()) instanceof SharedPool present) {
            Account later = open(present, now);
            activate(later, now);
            later.recall.demand(now);
            urgent.add(later);
        }
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
        boolean isDue = account.tick(intervalEnds, now);
        if (isDue) {
            addDue(account);
        }
        if (!accounts.closeIfDone(account, now)) {
            account.rest(now);
        }
        if (alone != null && account.isActive()) {
            account.goAlone(alone, now); // what was used since the last tick is used as of now
        }
        return isDue;
    }

    private void addDue(Account account) {
        if (account.pool.permits.isClosed()) {
            accounts.addClosing(account);
        }
        due.add(account);
    }

    private void activate(Account account, Moment now) {
        if (account.activate(now)) {
            ticks.add(account, now);
        }
    }

    /** When the next tick is; {@link Long#MAX_VALUE} if no account is active. */
    public long nextTickNanos() {
        return ticks.nextNanos();
    }

    /** When the next account may ask for calls that wait, later than then; {@link Long#MAX_VALUE} if none waits. */
    public long nextUrgentNanos(long after) {
        return urgent.earliest(account -> {
            long ask = account.recall.askNanos();
            return ask > after ? ask : Long.MAX_VALUE;
        });
    }

    public boolean isAnyDue() {
        return !due.isEmpty() || recovery.isAnyClaim();
    }

    public boolean isAnyAccount() {
        return !accounts.all().isEmpty();
    }

    // ---- What to ask

    /**
     * The claims of a batch: first for calls that wait, then of accounts whose time has come, those that the store
     * knows before those it does not. Those of earlier windows come first in it, since a frame returns what the next
     * one asks for.
     */
    public List<Claim> collect(Moment now) {
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
                if (account.isLowSoon(now)) {
                    due.add(account);
                }
            });
        }
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
        Claim claim = account.claim(regular, now);
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

    // ---- What the answers mean

    /** The store has applied these claims, which were collected last. */
    public void apply(List<Claim> claims, Batch.Reply reply, Moment now) {
        for (int i = 0; i < claims.size(); i++) {
            CounterKey key = claims.get(i).key();
            Account account = claimed.get(key);
            if (account != null) {
                apply(account, claims.get(i), reply.grants().get(i), reply.appliedMillis(), now);
                claimed.remove(key); // what throws before leaves it to be forgotten
            }
        }
    }

    /** How many calls were admitted beyond their limits, as far as was learnt since this was asked last. */
    public long takeOverLimit() {
        long taken = overLimit;
        overLimit = 0;
        return taken;
    }

    private void apply(Account account, Claim claim, Grant grant, long appliedMillis, Moment now) {
        accounts.hear(account);
        boolean isOld = account.isAnswerOld();
        overLimit += account.apply(claim, grant, appliedMillis, now);
        if (accounts.closeIfDone(account, now)) {
            return;
        }
        boolean waits = !account.pool.waiting.isEmpty();
        boolean recalls = waits && Recall.isNeeded(claim, grant);
        if (!recalls) {
            account.recall.waitsNoMore(); // those who still wait when they have looked again note it
        }
        boolean isShort = Recall.isShort(claim, grant);
        boolean isOver = now.millis() >= account.pool.end; // calls that wait belong to the next frame
        if (isOver || isOld || (!isShort && !recalls)) {
            account.pool.waiting.wakeAll(); // whoever finds what it was granted taken by a later call asks again
        } else {
            account.pool.waiting.serve(account.pool.permits.left(), isShort && !recalls);
        }
        if (recalls
                || account.owesRefund()
                || account.recall.isDemanded()
                || (waits && claim.needed().all() == 0 && account.pool.permits.left() == 0)) {
            urgent.add(account);
        }
    }

    /** The claims that were collected last will never be applied. */
    public void forgetClaims() {
        for (Account account : claimed.values()) {
            account.forgetClaim();
            due.add(account);
        }
        claimed.clear();
    }

    /** News of other instances. */
    public void hear(News news, Moment now) {
        for (String key : news.keys()) {
            Account account = accounts.latest(key);
            if (account != null && account.isInterested()) {
                hear(account, news.kind(), now);
            }
        }
    }

    private void hear(Account account, News.Kind kind, Moment now) {
        if (kind == News.Kind.RECALLED) {
            if (account.mayHold()) {
                account.recall.demand(now);
                urgent.add(account);
            }
        } else if (kind == News.Kind.FREED) {
            account.freed(now);
            account.recall.askNow(now);
        } else if (account.usedUp(now)) {
            account.recall.waitsNoMore();
            account.pool.waiting.wakeAll();
        }
    }

    /**
     * Calls have waited too long. Where other instances hold what they need, they are refused, as the store answers;
     * where the store has not answered, the policy decides.
     */
    public void endLongWaits(long beforeNanos, OnFailure policy, Moment now) {
        List<Account> waiting = new ArrayList<>(urgent.all());
        waiting.addAll(claimed.values());
        for (Account account : waiting) {
            if (account.recall.isWaiting()
                    && !account.pool.waiting.isEmpty()
                    && account.recall.waitingSinceNanos() - beforeNanos <= 0) {
                if (account.recall.isUnanswered()) {
                    account.decideAlone(policy, now);
                } else {
                    account.giveUpRecall(now);
                }
                account.pool.waiting.wakeAll();
            }
        }
    }

    /**
     * The store has lost what it was told before.
     *
     * @param applied the last batches that it had applied
     */
    public void lose(Loss loss, List<AppliedBatches.Entry> applied, Moment now) {
        recovery.lose(loss, applied, now).forEach(account -> markDue(account, now));
    }

    private void markDue(Account account, Moment now) {
        activate(account, now);
        due.add(account);
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
            account.goAlone(policy, now);
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
            account.endAlone(now);
            if (account.isActive() || !account.isIdle(now)) {
                markDue(account, now); // calls were not noted meanwhile
            }
        }
    }

    // ---- The end

    /**
     * The last claims, as many as fit one batch, until there are none: what was used is told, what is held returned.
     */
    public List<Claim> collectLast(Moment now) {
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
}
