package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.limiter.account.Account;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Accounts of closed pools, in order for each key. Each one waits until all earlier ones have reported, and so does the
 * current account. Not safe for several threads.
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

    /** Whether no earlier account with the same key has something to report. */
    boolean isNext(Account account) {
        Set<Account> over = closing.get(account.key);
        return over == null || over.iterator().next() == account;
    }
}
