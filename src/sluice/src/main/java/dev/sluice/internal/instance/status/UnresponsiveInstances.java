package dev.sluice.internal.instance.status;

import dev.sluice.CounterKey;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.LiveCounters.Look;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterDiagnostics.Account;
import dev.sluice.limits.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Adds the permits of unresponsive instances to diagnostics. These permits count as used, but only the store records
 * them. The store does not include them in its replies, because this would make every reply longer. Thread-safe.
 */
public final class UnresponsiveInstances implements AutoCloseable {

    private static final long LONGEST_LOOK_MILLIS = 1_000;

    private final @Nullable LiveCounters counters;

    /**
     * Creates an object that reads the counters of a store.
     *
     * @param counters the store's counters; {@code null} if they cannot be read
     */
    public UnresponsiveInstances(@Nullable LiveCounters counters) {
        this.counters = counters;
    }

    /**
     * Reads the counters of the caller's current windows, waiting up to one second for the reply. If no reply arrives
     * or the store is unavailable, returns the diagnostics unchanged.
     *
     * @param standings the standings of the same caller
     */
    public LimiterDiagnostics addTo(LimiterDiagnostics known, List<Standing> standings, long nowMillis) {
        LimiterDiagnostics.Background background = known.background();
        if (counters == null || background == null || background.isStoreUnavailable()) {
            return known;
        }
        List<LiveCounter> asked = new ArrayList<>();
        List<@Nullable LiveCounter> byAccount = new ArrayList<>();
        for (Account account : known.accounts()) {
            LiveCounter counter = counter(account.key(), standings, nowMillis);
            byAccount.add(counter);
            if (counter != null) {
                asked.add(counter);
            }
        }
        List<Look> looks = asked.isEmpty() ? List.of() : look(counters, asked, nowMillis);
        if (looks.isEmpty()) {
            return known;
        }
        List<Account> accounts = new ArrayList<>();
        for (int i = 0, answered = 0; i < byAccount.size(); i++) {
            Account account = known.accounts().get(i);
            LiveCounter counter = byAccount.get(i);
            accounts.add(counter == null ? account : with(account, looks.get(answered++), counter, nowMillis));
        }
        return new LimiterDiagnostics(background, accounts);
    }

    private static @Nullable LiveCounter counter(CounterKey key, List<Standing> standings, long nowMillis) {
        return key.end() <= nowMillis && key.end() != 0
                ? null
                : standings.stream()
                        .filter(one -> one.endpoint().equals(key.endpoint())
                                && one.method().equals(key.method())
                                && one.tier().name().equals(key.tier()))
                        .findFirst()
                        .map(one -> new LiveCounter(
                                key,
                                SharedLimits.of(one.tier(), key.start(), key.end())
                                        .rule()))
                        .orElse(null);
    }

    private static List<Look> look(LiveCounters counters, List<LiveCounter> asked, long nowMillis) {
        CompletionStage<List<Look>> looks = counters.look(asked, nowMillis, true);
        return looks.exceptionally(failed -> List.of())
                .toCompletableFuture()
                .completeOnTimeout(List.of(), LONGEST_LOOK_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    private static Account with(Account account, Look look, LiveCounter counter, long nowMillis) {
        Account.Fleet fleet = account.fleet();
        return new Account(
                account.key(),
                account.stage(),
                account.decides(),
                account.here(),
                new Account.Fleet(
                        fleet.left(), fleet.elsewhere(), fleet.isUsedUp(), look.unresponsive(counter, nowMillis)),
                account.waits(),
                account.statement());
    }

    @Override
    public void close() {
        if (counters != null) {
            counters.close();
        }
    }
}
