package dev.sluice.internal.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverrideSource;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counters and limits share one client of their server. It ends with its last user, and leaves no thread behind. */
public abstract class LinkContract {

    private final long now = System.currentTimeMillis();
    // of ten minutes: Sluice warns of longer windows where a Redis keeps nothing
    private final CounterKey acme = key(unique(), "acme", now, now + 600_000);
    private final Set<Thread> before = threads();

    /**
     * A server of a test.
     *
     * @param name the uri as messages show it
     */
    public record Server(String name, String patientUri, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    protected abstract Server server();

    /** Whether a client of such a server has started this thread. */
    protected abstract boolean isOurs(Thread thread);

    protected final Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(this::isOurs).collect(Collectors.toSet());
    }

    @AfterEach
    protected final void awaitEndOfThreads() {
        Eventually.await(() -> "the end of others than " + before, () -> before.containsAll(threads()));
    }

    protected static ClientOverrideSource limits(CounterStore store) {
        return Objects.requireNonNull(OperatorData.of(store));
    }

    @Test
    void limitsOutliveTheirStore() {
        try (Server server = server();
                CounterStore store = CounterStores.open(server.patientUri());
                ClientOverrideSource limits = limits(store)) {
            store.subscribe("i", news -> {});
            exchange(store, batch("i", 1, report(acme, 1)));
            store.close();
            assertThat(limits.changedSince("").toCompletableFuture().join()).isPresent();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> exchange(store, batch("i", 2, report(acme, 1))))
                        .isInstanceOf(StoreException.class)
                        .hasMessage(server.name() + " was closed by this instance");
            }
        }
    }

    @Test
    void aStoreOutlivesItsLimits() {
        try (Server server = server();
                CounterStore store = CounterStores.open(server.patientUri());
                ClientOverrideSource limits = limits(store)) {
            limits.close();
            assertThatThrownBy(
                            () -> limits.changedSince("").toCompletableFuture().join())
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining(server.name() + " was closed by this instance");
            exchange(store, batch("i", 1, report(acme, 1)));
        }
    }

    /** The last one to close ends the client, however often others close. */
    @Test
    void whoClosesTwiceEndsNothingOfOthers() {
        try (Server server = server();
                CounterStore store = CounterStores.open(server.patientUri());
                ClientOverrideSource limits = limits(store)) {
            for (int i = 0; i < 3; i++) {
                limits.close();
            }
            exchange(store, batch("i", 1, report(acme, 1)));
        }
    }
}
