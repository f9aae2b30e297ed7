package dev.sluice.internal.store.redis.connection;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.grant;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.internal.store.redis.server.RedisWire;
import dev.sluice.store.contract.Heard;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** News comes again by itself, and nothing but news is missing where it may not come. */
@Tag("store")
class RedisNewsTest {

    private final CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() + 600_000);
    private final RedisServer redis = RedisServer.open();
    private final FaultyProxy proxy = new FaultyProxy(redis.port());

    @AfterEach
    void close() {
        proxy.close();
        redis.close();
    }

    private CounterStore open() {
        return CounterStores.open("redis://127.0.0.1:" + proxy.port() + "?timeout=400ms");
    }

    /** From the instance that listens. */
    private static void assertRecalls(CounterStore store, Heard heard, CounterKey key) {
        exchange(store, batch("listener", 1, statementOf(key, 3).holding(3)));
        exchange(store, batch(unique(), 1, statementOf(key, 3).needing(1)));
        heard.await(Kind.RECALLED, key);
    }

    private long connections() {
        return ((String) redis.call("CLIENT", "LIST")).lines().count() - 1;
    }

    @Test
    void twoConnectionsServeAnyNumberOfListeners() {
        try (CounterStore store = open()) {
            exchange(store, batch(unique(), 1, report(acme, 1)));
            assertThat(connections()).isEqualTo(1);
            Heard.by("a", store);
            Heard.by("b", store);
            assertThat(connections()).isEqualTo(2);
        }
    }

    @Test
    void oneMessageTellsOfAllCountersOfABatch() {
        try (CounterStore store = open()) {
            Heard.by("holder", store);
            List<News> heard = new CopyOnWriteArrayList<>();
            store.subscribe("holder", heard::add);
            CounterKey other = key(unique(), "other", 0, acme.end());
            exchange(
                    store,
                    batch(
                            "holder",
                            1,
                            statementOf(acme, 3).holding(3),
                            statementOf(other, 3).holding(3)));
            exchange(
                    store,
                    batch(
                            "asker",
                            1,
                            statementOf(acme, 3).needing(1),
                            statementOf(other, 3).needing(1)));
            Eventually.await("news", () -> !heard.isEmpty());
            assertThat(heard).containsExactly(new News(Kind.RECALLED, Set.of(acme.text(), other.text())));
        }
    }

    @Test
    void comeAgainWhenRedisWasUnavailable() {
        try (CounterStore store = open()) {
            Heard heard = Heard.by("listener", store);
            redis.kill();
            assertThatThrownBy(() -> exchange(store, batch("i", 1, report(acme, 1))))
                    .isInstanceOf(StoreException.class);
            redis.start();
            heard.awaitLatest(store);
            assertRecalls(store, heard, acme);
        }
    }

    @Test
    void comeOnceRedisIsThere() {
        redis.kill();
        try (CounterStore store = open()) {
            Heard heard = Heard.quietly("listener", store);
            assertThatThrownBy(() -> exchange(store, batch("i", 1, report(acme, 1))))
                    .isInstanceOf(StoreException.class);
            redis.start();
            heard.awaitLatest(store);
            assertRecalls(store, heard, acme);
        }
    }

    /** Lettuce subscribes again only to what it knew before. */
    @Test
    void comeToWhoeverBeginsToListenWhileTheirConnectionIsLost() {
        try (CounterStore store = CounterStores.open(redis.patientUri());
                RedisWire wire = new RedisWire(redis.port())) {
            Heard first = Heard.by("0", store);
            wire.call("CONFIG", "SET", "maxclients", "1");
            wire.call("CLIENT", "KILL", "TYPE", "pubsub");
            List<Heard> all = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                all.add(Heard.quietly("" + i, store));
                exchange(store, batch("" + i, 1, statementOf(acme, 20).holding(1))); // its connection is still there
            }
            wire.call("CONFIG", "SET", "maxclients", "100");
            first.awaitLatest(store);
            Eventually.await("news", () -> {
                exchange(store, batch(unique(), 1, statementOf(acme, 20).needing(20)));
                return all.stream().allMatch(heard -> heard.has(Kind.RECALLED, acme));
            });
        }
    }

    @Test
    void comeAgainOverAnotherConnectionIfOneHangs() {
        try (CounterStore store = open()) {
            Heard heard = Heard.by("listener", store);
            proxy.abandon();
            assertThatThrownBy(() -> exchange(store, batch("i", 1, report(acme, 1))))
                    .hasMessageEndingWith(" did not answer in time: 400 ms");
            heard.awaitLatest(store);
            assertRecalls(store, heard, acme);
        }
    }

    @Test
    void ofAnotherDatabaseAreNotHeard() {
        try (CounterStore store = open();
                CounterStore third = CounterStores.open(redis.uri() + "/3")) {
            Heard heard = Heard.by("listener", store);
            Heard there = Heard.by("listener", third);
            assertRecalls(third, there, acme);
            heard.awaitLatest(store);
            assertThat(heard.has(Kind.RECALLED, acme)).isFalse();
        }
    }

    @Test
    void mayBeForbidden() {
        assumeTrue(redis.hasUsers());
        for (String missing : List.of("-subscribe", "resetchannels")) {
            redis.call("ACL", "SETUSER", "quiet", "on", ">s3cret", "~*", "allchannels", "+@all", missing);
            try (CounterStore store = CounterStores.open("redis://quiet:s3cret@127.0.0.1:" + redis.port());
                    ErrorOutput log = new ErrorOutput()) {
                store.subscribe("listener", news -> {
                    throw new AssertionError("heard " + news);
                });
                String warning =
                        "redis://127.0.0.1:" + redis.port() + " does not let the user subscribe to sluice:!news: ";
                log.await(warning);
                CounterKey key = key(unique(), "acme", 0, acme.end());
                exchange(store, batch("a", 1, statementOf(key, 3).holding(3)));
                assertThat(grant(store, batch("b", 1, statementOf(key, 3).needing(1))))
                        .isEqualTo(new Grant(3, 0, 3));
                assertThat(log.lines())
                        .filteredOn(line -> line.contains(warning))
                        .hasSize(1);
            }
        }
    }

    @Test
    void mayBeForbiddenToPublish() {
        assumeTrue(redis.hasUsers());
        redis.call("ACL", "SETUSER", "mute", "on", ">s3cret", "~*", "+@all", "-publish");
        try (CounterStore store = CounterStores.open("redis://mute:s3cret@127.0.0.1:" + redis.port())) {
            exchange(store, batch("a", 1, statementOf(acme, 3).holding(3)));
            assertThat(grant(store, batch("b", 1, statementOf(acme, 3).needing(1))))
                    .isEqualTo(new Grant(3, 0, 3));
        }
    }

    @Test
    void garbledOnesAreIgnored() {
        try (CounterStore store = open()) {
            Heard heard = Heard.by("listener", store);
            for (String message : List.of(
                    "",
                    "\n",
                    "\n\n",
                    "RECALLED",
                    "RECALLED\n\nx",
                    "RECALLED x\nz",
                    "x y\n\nz",
                    "RECALLED  \n\n",
                    "\u0000")) {
                redis.call("PUBLISH", "sluice:!news", message);
            }
            assertRecalls(store, heard, acme);
        }
    }
}
