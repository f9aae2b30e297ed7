package dev.sluice.limiter.ledger;

import dev.sluice.limiter.account.Account;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Accounts with a claim to send, each once, in order of arrival; those that are new to the store are separate. Not safe
 * for several threads.
 */
final class AccountQueue {

    private final Set<Account> known = new LinkedHashSet<>();
    private final Set<Account> newcomers = new LinkedHashSet<>();

    void add(Account account) {
        (account.isAnswered() ? known : newcomers).add(account);
    }

    boolean isEmpty() {
        return known.isEmpty() && newcomers.isEmpty();
    }

    /** A copy of all accounts. */
    List<Account> all() {
        List<Account> all = new ArrayList<>(known);
        all.addAll(newcomers);
        return all;
    }

    /** The smallest value of the function over all accounts; {@link Long#MAX_VALUE} if there is none. */
    long earliest(ToLongFunction<Account> when) {
        return Stream.concat(known.stream(), newcomers.stream())
                .mapToLong(when)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Removes and processes ready accounts that the store knows. */
    void takeKnown(Predicate<Account> ready, int most, Consumer<Account> reader) {
        take(known, ready, most, reader);
    }

    /** Removes and processes ready accounts that are new to the store. */
    void takeNewcomers(Predicate<Account> ready, int most, Consumer<Account> reader) {
        take(newcomers, ready, most, reader);
    }

    private static void take(Collection<Account> queue, Predicate<Account> ready, int most, Consumer<Account> reader) {
        List<Account> taken = queue.stream()
                .filter(account -> account.isClosed() || ready.test(account))
                .limit(Math.max(0, most))
                .toList();
        taken.forEach(queue::remove);
        taken.stream().filter(account -> !account.isClosed()).forEach(reader);
    }
}
