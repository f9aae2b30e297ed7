package dev.sluice.internal.store.redis.connection;

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
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.LinkContract;
import dev.sluice.internal.store.OperatorData;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverrideSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters, limits and news share one client of Redis, which leaves nothing behind. */
@Tag("store")
class RedisLinkTest extends LinkContract {

    private final long now = System.currentTimeMillis();
    // of ten minutes: Sluice warns of longer windows where a Redis keeps nothing
    private final CounterKey acme = key(unique(), "acme", now, now + 600_000);
    private final ErrorOutput log = new ErrorOutput();

    @Override
    protected Server server() {
        RedisServer redis = RedisServer.open();
        return new Server(redis.uri(), redis.patientUri(), redis::close);
    }

    @Override
    protected boolean isOurs(Thread thread) {
        return thread.getName().startsWith("lettuce-");
    }

    @AfterEach
    void saysNothing() {
        awaitEndOfThreads();
        log.close();
        // That nobody is there or answers, Lettuce may say; the fuzzer of other tests tells of each class it is loaded
        // with.
        assertThat(log.lines())
                .allMatch(line -> line.contains(" WARN Cannot connect ")
                        || line.contains(" WARN Unable to connect ")
                        || line.startsWith("INFO: Instrumented "));
    }

    private static long connections(RedisServer redis) {
        return ((String) redis.call("CLIENT", "LIST")).lines().count() - 1;
    }

    @Test
    void countersAndLimitsShareThreadsAndHaveAConnectionEach() {
        try (RedisServer redis = RedisServer.open();
                CounterStore store = CounterStores.open(redis.patientUri())) {
            exchange(store, batch("i", 1, report(acme, 1)));
            Set<Thread> alone = threads();
            try (ClientOverrideSource limits = limits(store)) {
                assertThat(limits.changedSince("").toCompletableFuture().join()).isPresent();
                assertThat(connections(redis)).isEqualTo(2);
                assertThat(threads()).hasSizeLessThanOrEqualTo(alone.size() + 1);
            }
        }
    }

    /** The operator waits for an answer that does not come in time. */
    @Test
    void noExchangeWaitsForAnOperator() {
        try (RedisServer redis = RedisServer.open()) {
            RedisLink counting = RedisLink.open(RedisAddressParser.parse(redis.uri() + "?timeout=1s"));
            RedisLink operator = counting.besideExchanges();
            try {
                long before = clientId(counting);
                CompletableFuture<?> never = operator.send(commands -> commands.blpop(0, "never"));
                while (!never.isDone()) {
                    assertThat(clientId(counting)).isEqualTo(before);
                }
                assertThatThrownBy(never::join).hasMessageContaining(" did not answer in time: 1000 ms");
                assertThat(clientId(counting)).isEqualTo(before);
            } finally {
                operator.close();
                counting.close();
            }
        }
    }

    /** The number of the connection; a command that is not answered at once fails. */
    private static long clientId(RedisLink link) {
        return link.send(commands -> commands.clientId())
                .orTimeout(900, TimeUnit.MILLISECONDS)
                .join();
    }

    @Test
    void memoryKeepsNoLimits() {
        assertThat(OperatorData.of(
                        new InMemoryCounterStore(InstantSource.system(), InMemoryCounterStore.DEFAULT_MAXIMUM)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis://127.0.0.1:%d", "redis-sentinel://127.0.0.1:%d#master", "redis-cluster://127.0.0.1:%d"})
    void isClosedWhileNobodyAnswers(String uri) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            openAndClose(uri.formatted(silent.getLocalPort()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis://127.0.0.1:%d", "redis-sentinel://127.0.0.1:%d#master", "redis-cluster://127.0.0.1:%d"})
    void isClosedWhileNobodyIsThere(String uri) {
        openAndClose(uri.formatted(RedisServer.freePort()));
    }

    @Test
    void isClosedWhileItConnects() {
        try (RedisServer redis = RedisServer.open()) {
            for (int i = 0; i < 20; i++) {
                CounterStore store = CounterStores.open(redis.patientUri());
                store.subscribe("i", news -> {});
                Eventually.pause(i / 2);
                store.close();
            }
            // What is being opened may be closed a little later.
            Eventually.await("no connections", () -> connections(redis) == 0);
            assertThat(connections(redis)).isZero();
        }
    }

    /** Netty logs an error if its threads end while a connection is being opened again. */
    @Test
    void isClosedWhileItConnectsAgain() {
        try (RedisServer redis = RedisServer.open();
                FaultyProxy network = new FaultyProxy(redis.port())) {
            for (int i = 0; i < 60; i++) {
                CounterStore store = CounterStores.open("redis://127.0.0.1:" + network.port());
                exchange(store, batch("i" + i, 1, report(acme, 1)));
                network.redirect(redis.port());
                Eventually.pause(i % 20);
                store.close();
            }
            Eventually.await("no connections", () -> connections(redis) == 0);
        }
    }

    private static void openAndClose(String uri) {
        CounterStore store = CounterStores.open(uri);
        store.subscribe("i", news -> {});
        ClientOverrideSource limits = limits(store);
        Eventually.pause(20);
        limits.close();
        store.close();
    }
}
