package dev.sluice.store.redis.link;

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
import dev.sluice.store.CounterStores;
import dev.sluice.store.Exchanges;
import dev.sluice.store.OverrideSources;
import dev.sluice.store.memory.InMemoryCounterStore;
import dev.sluice.store.redis.server.ErrorOutput;
import dev.sluice.store.redis.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters, limits and news share one client of Redis, which leaves nothing behind. */
class RedisLinkTest {

    private final CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() + 600_000);
    private final Set<Thread> before = lettuce();
    private final ErrorOutput log = new ErrorOutput();

    @AfterEach
    void leaveNothingBehind() {
        awaitEndOf(before);
        log.close();
        // That nobody is there or answers, Lettuce may say; the fuzzer of other tests tells of each class it is loaded
        // with.
        assertThat(log.lines())
                .allMatch(line -> line.contains(" WARN Cannot connect ")
                        || line.contains(" WARN Unable to connect ")
                        || line.startsWith("INFO: Instrumented "));
    }

    /** The threads of all clients of Redis. */
    private static Set<Thread> lettuce() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-"))
                .collect(Collectors.toSet());
    }

    private static void awaitEndOf(Set<Thread> others) {
        Eventually.await(() -> "the end of others than " + others, () -> others.containsAll(lettuce()));
    }

    private static long connections(RedisServer redis) {
        return ((String) redis.call("CLIENT", "LIST")).lines().count() - 1;
    }

    @Test
    void countersAndLimitsShareThreadsAndConnection() {
        try (RedisServer redis = RedisServer.open();
                CounterStore store = CounterStores.open(redis.patientUri())) {
            exchange(store, batch("i", 1, report(acme, 1)));
            Set<Thread> alone = lettuce();
            try (ClientOverrideSource limits = limits(store)) {
                assertThat(limits.changedSince("").toCompletableFuture().join()).isPresent();
                assertThat(connections(redis)).isEqualTo(1);
                assertThat(lettuce()).hasSizeLessThanOrEqualTo(alone.size() + 1);
            }
        }
    }

    private static ClientOverrideSource limits(CounterStore store) {
        ClientOverrideSource limits = OverrideSources.of(store);
        assertThat(limits).isNotNull();
        return limits;
    }

    @Test
    void memoryKeepsNoLimits() {
        assertThat(OverrideSources.of(new InMemoryCounterStore())).isNull();
    }

    @Test
    void limitsOutliveTheirStore() {
        try (RedisServer redis = RedisServer.open();
                CounterStore store = CounterStores.open(redis.patientUri());
                ClientOverrideSource limits = limits(store)) {
            store.close();
            assertThat(limits.changedSince("").toCompletableFuture().join()).isPresent();
            assertThatThrownBy(() -> exchange(store, batch("i", 1, report(acme, 1))))
                    .isInstanceOf(StoreException.class)
                    .hasMessage(redis.uri() + " was closed by this instance");
            assertThatThrownBy(() -> exchange(store, batch("i", 1, report(acme, 1))))
                    .hasMessage(redis.uri() + " was closed by this instance");
        }
    }

    @Test
    void aStoreOutlivesItsLimits() {
        try (RedisServer redis = RedisServer.open();
                CounterStore store = CounterStores.open(redis.patientUri());
                ClientOverrideSource limits = limits(store)) {
            limits.close();
            assertThatThrownBy(
                            () -> limits.changedSince("").toCompletableFuture().join())
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining(redis.uri() + " was closed by this instance");
            exchange(store, batch("i", 2, report(acme, 1)));
        }
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
                Exchanges.pause(i / 2);
                store.close();
            }
            // What is being opened may be closed a little later.
            Eventually.await("no connections", () -> connections(redis) == 0);
            assertThat(connections(redis)).isZero();
        }
    }

    private static void openAndClose(String uri) {
        CounterStore store = CounterStores.open(uri);
        store.subscribe("i", news -> {});
        ClientOverrideSource limits = limits(store);
        Exchanges.pause(20);
        limits.close();
        store.close();
    }
}
