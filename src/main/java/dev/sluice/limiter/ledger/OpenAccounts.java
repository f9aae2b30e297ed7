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
 * The accounts that are not closed, with those of closed pools that still have something to report. Not safe for
 * several threads.
 */
final class OpenAccounts {

    private final Set<Account> accounts = new LinkedHashSet<>();
    /** The latest account of each counter, by the text of its key. */
    private final Map<String, Account> byKey = new HashMap<>();

    /** Those of closed pools; later accounts with their keys wait until they have reported. */
    final ClosingAccounts closing = new ClosingAccounts();

    private int newcomers;

    Collection<Account> all() {
        return Collections.unmodifiableCollection(accounts);
    }

    /** The latest account of the counter with this key. */
    @Nullable Account latest(String keyText) {
        return byKey.get(keyText);
    }

    /** How many accounts the store has not answered yet. */
    int newcomers() {
        return newcomers;
    }

    /** Adds a new account; returns the previous one of its counter. */
    @Nullable Account add(Account account) {
        accounts.add(account);
        newcomers++;
        return byKey.put(account.keyText, account);
    }

    /** Adds a closed account again, which has something to report for its closed pool. */
    void addAgain(Account account) {
        accounts.add(account);
        newcomers += account.isAnswered() ? 0 : 1;
        closing.add(account);
        byKey.putIfAbsent(account.keyText, account);
    }

    /** Records that the store answers an account. */
    void answered(Account account) {
        newcomers -= account.isAnswered() ? 0 : 1;
    }

    /** Closes an account whose pool is closed and reported; returns whether it is closed. */
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

    /** Closes an account, reported or not. */
    void close(Account account) {
        account.close();
        closing.remove(account);
        byKey.remove(account.keyText, account);
        accounts.remove(account);
        account.pool.history.ownFrames.set(account.pool.start, account.used());
        newcomers -= account.isAnswered() ? 0 : 1;
        account.pool.waiting.wakeAll(); // waiting calls look the counter up again
    }

    /**
     * Closes as many accounts as are too many, those with the least unreported use first; returns how many. They cannot
     * be sorted by it, since calls may change it meanwhile.
     */
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
