package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisSentinels;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The store follows the master. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
class RedisSentinelTest {

    private final CounterKey acme = key("e", "acme", 0, System.currentTimeMillis() + 600_000);
    private final RedisSentinels sentinels = RedisSentinels.open();
    private final CounterStore store = CounterStores.open(sentinels.uri());

    @BeforeEach
    void countOne() {
        exchangeInTheEnd(store, batch("i", 1, report(acme, 1)));
        Eventually.await(
                "the count at the replica", () -> "1".equals(sentinels.replica().call("GET", acme.text())));
    }

    @AfterEach
    void close() {
        store.close();
        sentinels.close();
    }

    @Test
    void worksAgainWhenTheMasterHasDied() {
        sentinels.master().kill();
        assertThat(exchangeInTheEnd(store, batch("i", 2, report(acme, 2))).grants())
                .containsExactly(new Grant(3, 0, 0));
        assertThat(sentinels.replica().call("GET", acme.text())).isEqualTo("3");
    }

    @Test
    void worksAgainWhenTheMasterHangs() {
        sentinels.master().freeze();
        Batch batch = batch("i", 2, report(acme, 2));
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(3, 0, 0));
        assertThat(sentinels.replica().call("GET", acme.text())).isEqualTo("3");
    }

    @Test
    void leavesAMasterThatHasBecomeAReplica() {
        sentinels.failOver();
        AtomicLong sequence = new AtomicLong(1);
        Eventually.await("exchanged roles", () -> {
            exchangeInTheEnd(store, batch("i", sequence.incrementAndGet(), question(acme)));
            return "role:master".equals(role(sentinels.replica())) && "role:slave".equals(role(sentinels.master()));
        });
        exchangeInTheEnd(store, batch("i", sequence.incrementAndGet(), report(acme, 2)));
        assertThat(sentinels.replica().call("GET", acme.text())).isEqualTo("3");
    }

    /**
     * What the server is; nothing if it has just thrown its callers out, as one does that is told to become something
     * else.
     */
    private static String role(RedisServer server) {
        try {
            return ((String) server.call("INFO", "replication"))
                    .lines()
                    .filter(line -> line.startsWith("role:"))
                    .findFirst()
                    .orElse("");
        } catch (UncheckedIOException e) {
            return "";
        }
    }

    @Test
    void namesTheSentinelsWhenTheyAreUnavailable() {
        try (CounterStore lost =
                CounterStores.open("redis-sentinel://127.0.0.1:" + RedisServer.freePort() + "#mymaster")) {
            StoreException trouble = catchThrowableOfType(
                    StoreException.class, () -> Exchanges.exchange(lost, batch("i", 1, report(acme, 1))));
            assertThat(trouble)
                    .hasMessageStartingWith("redis-sentinel://127.0.0.1:")
                    .hasMessageContaining("#mymaster cannot be reached: ");
        }
    }
}
