package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.limiter.account.Account;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Accounts of pools that are over, those of one key in the order in which they followed one another. Each waits until
 * the store has been told all of those before, and so does one that is not over. For one thread.
 */
final class ClosingAccounts {

    private final Map<CounterKey, Set<Account>> closing = new HashMap<>();

    void add(Account account) {
        closing.computeIfAbsent(account.key, key -> new LinkedHashSet<>()).add(account);
    }

    void remove(Account account) {
        Set<Account> over = closing.get(account.key);
        if (over != null) {
            over.remove(account);
            if (over.isEmpty()) {
                closing.remove(account.key);
            }
        }
    }

    /** Whether no earlier account of the same key has something left to tell. */
    boolean isNext(Account account) {
        Set<Account> over = closing.get(account.key);
        return over == null || over.iterator().next() == account;
    }
}
