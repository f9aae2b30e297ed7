package dev.sluice.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.CounterStores;
import dev.sluice.store.CutsContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Also where a batch is read, written and read again. */
@Timeout(240)
class MongoExactlyOnceTest extends CutsContract {

    private static MongoServerInProcess mongo;

    @BeforeAll
    static void start() {
        mongo = MongoServerInProcess.open();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected int serverPort() {
        return mongo.port();
    }

    @Override
    protected String uri(int port) {
        return "mongodb://127.0.0.1:" + port;
    }

    @Override
    protected String patientUri(int port) {
        return uri(port) + "/?timeoutMS=15000";
    }

    @Override
    protected int cuts() {
        return 200;
    }

    @Test
    void aConnectionThatHangsIsReplaced() {
        exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 1)));
        Batch batch = batch(instance, 2, report(tenant("t"), 5));
        try (CounterStore impatient = CounterStores.open(uri(proxy.port()) + "/?timeoutMS=2000")) {
            exchangeInTheEnd(impatient, batch(instance, 1, report(tenant("t"), 1)));
            proxy.freeze();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> exchange(impatient, batch))
                        .isInstanceOf(StoreException.class)
                        .hasMessageStartingWith(uri(proxy.port()) + " ");
            }
            proxy.thaw();
            assertThat(exchangeInTheEnd(impatient, batch).grants()).containsExactly(new Grant(6, 0, 0));
        }
        assertThat(total("t")).isEqualTo(6);
    }

    @Test
    void aSlowNetworkIsBorne() {
        proxy.delayReplies(Duration.ofMillis(100));
        assertThat(exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 2)))
                        .grants())
                .containsExactly(new Grant(2, 0, 0));
    }
}
