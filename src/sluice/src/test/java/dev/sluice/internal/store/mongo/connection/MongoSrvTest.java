package dev.sluice.internal.store.mongo.connection;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A MongoDB whose servers stand in DNS, as {@code mongodb+srv://} says. */
@Timeout(120)
@Tag("store")
class MongoSrvTest {

    private final CounterKey acme = key("orders", "acme", 0, 9_000_000_000_000L);

    private static String uri(String cluster) {
        return "mongodb+srv://" + cluster + NamesOfTests.DOMAIN + "/counts?tls=false&timeoutMS=20000";
    }

    @Test
    void serversAreLookedUp() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open()) {
            NamesOfTests.add("known", mongo.port());
            try (CounterStore store = CounterStores.open(uri("known"))) {
                assertThat(exchangeInTheEnd(store, batch("i", 1, report(acme, 3)))
                                .grants())
                        .containsExactly(new Grant(3, 0, 0));
            }
        }
    }

    /** Opening does not wait for DNS, and a name that comes later is found then. */
    @Test
    void aNameThatIsNotKnownYetIsLookedUpAgain() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                CounterStore store = CounterStores.open(uri("late"))) {
            assertThatThrownBy(() -> exchange(store, batch("i", 1, report(acme, 3))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("mongodb+srv://late.sluice.test/counts cannot be ");
            NamesOfTests.add("late", mongo.port());
            assertThat(exchangeInTheEnd(store, batch("i", 1, report(acme, 3))).grants())
                    .containsExactly(new Grant(3, 0, 0));
        }
    }
}
