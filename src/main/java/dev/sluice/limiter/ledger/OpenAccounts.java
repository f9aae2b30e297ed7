package dev.sluice.limiter.ledger;

import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The accounts that are not closed yet, among them those of pools that are over and have something left to tell. For
 * one thread.
 */
final class OpenAccounts {

    private final Set<Account> accounts = new LinkedHashSet<>();
    /** The latest account of each counter, by the text of its key. */
    private final Map<String, Account> byKey = new HashMap<>();

    private final ClosingAccounts closing = new ClosingAccounts();
    private int unheard;

    Collection<Account> all() {
        return Collections.unmodifiableCollection(accounts);
    }

    /** The latest account of the counter with that key. */
    @Nullable Account latest(String keyText) {
        return byKey.get(keyText);
    }

    /** How many the store has not answered yet. */
    int unheard() {
        return unheard;
    }

    /** Adds a new account; the one that its counter had until now. */
    @Nullable Account add(Account account) {
        accounts.add(account);
        unheard++;
        return byKey.put(account.keyText, account);
    }

    /** Adds an account that was closed, and has something to tell of its pool that is over. */
    void addAgain(Account account) {
        accounts.add(account);
        unheard += account.isHeard() ? 0 : 1;
        closing.add(account);
        byKey.putIfAbsent(account.keyText, account);
    }

    /** The store answers an account. */
    void hear(Account account) {
        unheard -= account.isHeard() ? 0 : 1;
    }

    /** The pool of the account is over; later accounts of the key wait until it has told all. */
    void addClosing(Account account) {
        closing.add(account);
    }

    /** Whether no earlier account of the same key has something left to tell. */
    boolean isNext(Account account) {
        return closing.isNext(account);
    }

    /** Closes an account whose pool is over and whose use is told; whether it is closed. */
    boolean closeIfDone(Account account, Moment now) {
        if (account.isClosed()) {
            return true;
        }
        boolean done = account.closePoolIfOver(now) && account.isDone(now);
        if (done) {
            close(account);
        }
        return done;
    }

    /** Closes an account, told or not. */
    void close(Account account) {
        account.close();
        closing.remove(account);
        byKey.remove(account.keyText, account);
        accounts.remove(account);
        account.pool.history.ownFrames.set(account.pool.start, account.used());
        unheard -= account.isHeard() ? 0 : 1;
        account.pool.waiting.wakeAll(); // they look the counter up again
    }

    /** Closes those that are more than may be remembered, small debts first; how many it was. */
    int writeOff(List<Account> indebted, int most) {
        int tooMany = indebted.size() - most;
        int writtenOff = 0;
        for (long small = 1; writtenOff < tooMany; small *= 2) {
            for (Account account : indebted) {
                if (writtenOff < tooMany && !account.isClosed() && account.debt() <= small) {
                    close(account);
                    writtenOff++;
                }
            }
        }
        return writtenOff;
    }
}
