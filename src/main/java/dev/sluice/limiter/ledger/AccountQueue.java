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
 * Accounts that have something to ask, each once, in the order in which they came; those apart that are new to the
 * store. For one thread.
 */
final class AccountQueue {

    private final Set<Account> known = new LinkedHashSet<>();
    private final Set<Account> newcomers = new LinkedHashSet<>();

    void add(Account account) {
        (account.isHeard() ? known : newcomers).add(account);
    }

    boolean isEmpty() {
        return known.isEmpty() && newcomers.isEmpty();
    }

    /** All of them, as of now. */
    List<Account> all() {
        List<Account> all = new ArrayList<>(known);
        all.addAll(newcomers);
        return all;
    }

    /** The least that any of them answers; {@link Long#MAX_VALUE} if there is none. */
    long earliest(ToLongFunction<Account> when) {
        return Stream.concat(known.stream(), newcomers.stream())
                .mapToLong(when)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Takes those out, as far as they are ready, that the store was told of. */
    void takeKnown(Predicate<Account> ready, int most, Consumer<Account> reader) {
        take(known, ready, most, reader);
    }

    /** Takes those out, as far as they are ready, that are new to the store. */
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
