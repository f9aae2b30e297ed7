package dev.sluice.internal.store.redis.connection;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.grant;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.internal.store.redis.server.RedisWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever ails Redis, an exchange fails soon and with a sentence, and the same batch is counted once Redis is well.
 */
@Tag("store")
class RedisFailureTest {

    private final String instance = unique();
    private final CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() + 600_000);
    private final Batch batch =
            batch(instance, 2, statementOf(acme, 100).used(3).needing(4));
    private RedisServer redis = RedisServer.open();
    private CounterStore store = CounterStores.open(redis.uri());

    @BeforeEach
    void beginWell() {
        assertThat(grant(store, batch(instance, 1, report(acme, 1)))).isEqualTo(new Grant(1, 0, 0));
    }

    @AfterEach
    void close() {
        store.close();
        redis.close();
    }

    private void assertFailsSoon(String sentence) {
        long before = System.nanoTime();
        StoreException trouble = catchThrowableOfType(StoreException.class, () -> exchange(store, batch));
        assertThat(trouble).hasMessage(redis.uri() + " " + sentence);
        assertThat(trouble.temporary()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    }

    private boolean failsWith(String sentence) {
        StoreException trouble = catchThrowableOfType(StoreException.class, () -> exchange(store, batch));
        return trouble != null && trouble.getMessage().endsWith(sentence);
    }

    private boolean refusesAsBusy() {
        try {
            redis.call("GET", "any");
            return false;
        } catch (RedisWire.Refused refused) {
            return refused.getMessage().contains("BUSY");
        }
    }

    private void assertIsWellAgain() {
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(8, 4, 0));
        assertThat(exchange(
                                store,
                                batch(
                                        instance,
                                        3,
                                        statementOf(acme, 100).used(1).holding(4)))
                        .grants())
                .containsExactly(new Grant(9, 0, 0));
    }

    @Test
    void forgottenScriptsAreSentAgain() {
        redis.call("SCRIPT", "FLUSH");
        assertThat(grant(store, batch)).isEqualTo(new Grant(8, 4, 0));
        redis.call("SCRIPT", "FLUSH");
        Batch.Statement[] many = IntStream.range(0, 1000)
                .mapToObj(i -> report(key("many", "t" + i, 0, acme.end()), i))
                .toArray(Batch.Statement[]::new);
        assertThat(exchange(store, batch(instance, 3, many)).grants().get(999)).isEqualTo(new Grant(999, 0, 0));
    }

    @Test
    void restartedEmptyItCountsFromNothing() {
        redis.kill();
        redis.start();
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(7, 4, 0));
    }

    @Test
    void whileItIsUnavailableExchangesFailAtOnce() {
        redis.kill();
        Eventually.await("another connection is refused", () -> failsWith("cannot be reached: Connection refused"));
        for (int i = 0; i < 10; i++) {
            assertFailsSoon("cannot be reached: Connection refused");
        }
        redis.start();
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(7, 4, 0));
    }

    /** As after a password was changed: the connection was accepted before, and Redis closes it. */
    @Test
    void aPasswordThatIsAskedForLaterIsNamed() {
        try (RedisWire wire = new RedisWire(redis.port())) {
            wire.call("CONFIG", "SET", "requirepass", "new");
            wire.call("CLIENT", "KILL", "TYPE", "normal");
        }
        Eventually.await(
                "the missing password is named", () -> failsWith("requires a password; the store uri has none"));
        assertFailsSoon("requires a password; the store uri has none");
    }

    @Test
    void anAbsentServerIsLookedForUntilItComes() {
        redis.kill();
        store.close();
        store = CounterStores.open(redis.uri());
        for (int i = 0; i < 3; i++) {
            assertFailsSoon("cannot be reached: Connection refused");
        }
        redis.start();
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(7, 4, 0));
    }

    @Test
    void aHostThatDoesNotExistIsNamed() {
        try (CounterStore lost = CounterStores.open("redis://no-such-host.invalid:1")) {
            StoreException trouble = catchThrowableOfType(StoreException.class, () -> exchange(lost, batch));
            assertThat(trouble).hasMessageStartingWith("redis://no-such-host.invalid:1 ");
        }
    }

    @Test
    void aClosedStoreSaysSo() {
        store.close();
        store.close();
        assertFailsSoon("was closed by this instance");
    }

    @Test
    void outOfMemory() {
        redis.call("CONFIG", "SET", "maxmemory", "1");
        assertFailsSoon("is out of memory; see its maxmemory");
        redis.call("CONFIG", "SET", "maxmemory", "0");
        assertIsWellAgain();
    }

    @Test
    void outOfMemoryWithAForgottenScript() {
        redis.call("SCRIPT", "FLUSH");
        redis.call("CONFIG", "SET", "maxmemory", "1");
        assertFailsSoon("is out of memory; see its maxmemory");
        redis.call("CONFIG", "SET", "maxmemory", "0");
        assertIsWellAgain();
    }

    @Test
    void busyWithAScript() throws IOException {
        redis.call("CONFIG", "SET", "lua-time-limit", "10");
        try (RedisWire wire = new RedisWire(redis.port())) {
            wire.send("EVAL", "while true do end", "0");
            Eventually.await("the script runs for longer than is allowed", this::refusesAsBusy);
            assertFailsSoon("is busy with a script");
            redis.call("SCRIPT", "KILL");
        }
        assertIsWellAgain();
    }

    @Test
    void asleep() {
        redis.freeze();
        assertFailsSoon("did not answer in time: 1000 ms");
        redis.thaw();
        assertIsWellAgain();
    }

    @Test
    void aReplica() {
        try (RedisServer master = RedisServer.open()) {
            redis.call("REPLICAOF", "127.0.0.1", String.valueOf(master.port()));
            assertFailsSoon("is a replica and accepts no writes");
            redis.call("REPLICAOF", "NO", "ONE");
        }
        exchangeInTheEnd(store, batch);
    }

    @Test
    void aReplicaWithoutItsMaster() {
        redis.call("CONFIG", "SET", "replica-serve-stale-data", "no");
        redis.call("REPLICAOF", "127.0.0.1", String.valueOf(RedisServer.freePort()));
        assertFailsSoon("is a replica that has lost its master");
        redis.call("REPLICAOF", "NO", "ONE");
        assertIsWellAgain();
    }

    @Test
    void tooFewReplicas() {
        redis.call("CONFIG", "SET", "min-replicas-to-write", "1");
        assertFailsSoon("accepts no writes because it has too few replicas");
        redis.call("CONFIG", "SET", "min-replicas-to-write", "0");
        assertIsWellAgain();
    }

    @Test
    void loading(@TempDir Path directory) throws IOException {
        // While it loads, Redis answers every 2 MB only.
        redis.call("CONFIG", "SET", "rdbcompression", "no");
        redis.call("DEBUG", "POPULATE", "300", "key", "100000");
        redis.call("SAVE");
        Path dump = redis.directory().resolve("dump.rdb");
        try (RedisServer slow = slowLoader(directory, dump)) {
            store.close();
            store = CounterStores.open(slow.patientUri());
            StoreException trouble = catchThrowableOfType(StoreException.class, () -> exchange(store, batch));
            assertThat(trouble).hasMessage(slow.uri() + " is loading its data");
            assertIsWellAgain();
        }
    }

    private static RedisServer slowLoader(Path directory, Path dump) throws IOException {
        Files.copy(dump, directory.resolve("dump.rdb"));
        return RedisServer.open("--dir", directory.toString(), "--key-load-delay", "10000");
    }

    @Test
    void aCounterThatIsNoNumberIsReplaced() {
        redis.call("DEL", acme.text());
        redis.call("LPUSH", acme.text(), "x");
        assertThat(grant(store, batch)).isEqualTo(new Grant(7, 4, 0));
        redis.call("SET", acme.text(), "x");
        assertThat(grant(store, batch(instance, 3, report(acme, 2)))).isEqualTo(new Grant(2, 0, 0));
        redis.call("SET", acme.text(), String.valueOf(Long.MAX_VALUE));
        assertThat(grant(store, batch(instance, 4, report(acme, 2)))).isEqualTo(new Grant(2, 0, 0));
        assertThat((Long) redis.call("PTTL", acme.text())).isPositive();
    }
}
