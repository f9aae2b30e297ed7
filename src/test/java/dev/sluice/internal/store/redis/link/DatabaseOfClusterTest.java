package dev.sluice.internal.store.redis.link;

import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A cluster of Valkey 9 has numbered databases; one of Redis has none, and says so. */
class DatabaseOfClusterTest {

    private static List<Statement> onAllNodes() {
        String endpoint = unique();
        long end = System.currentTimeMillis() + 600_000;
        return IntStream.range(0, 100)
                .mapToObj(i -> report(key(endpoint, "t" + i, 0, end), 1))
                .toList();
    }

    private static boolean hasDatabases() {
        try (RedisServer server = RedisServer.open()) {
            return !((List<?>) server.call("CONFIG", "GET", "cluster-databases")).isEmpty();
        }
    }

    @Test
    void countsInItsOwnDatabase() {
        assumeTrue(hasDatabases(), "needs Valkey 9");
        List<Statement> statements = onAllNodes();
        try (RedisCluster cluster = RedisCluster.open("--cluster-databases", "16");
                CounterStore first = CounterStores.open(cluster.uri() + "?timeout=5s");
                CounterStore third = CounterStores.open(cluster.uri() + "/3?timeout=5s")) {
            exchangeInTheEnd(first, new Batch(unique(), 1, statements));
            assertThat(exchangeInTheEnd(third, new Batch(unique(), 1, statements))
                            .grants())
                    .containsOnly(new Grant(1, 0, 0));
            cluster.nodes().forEach(node -> node.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
            assertThat(exchangeInTheEnd(third, new Batch(unique(), 1, statements))
                            .grants())
                    .as("over new connections")
                    .containsOnly(new Grant(2, 0, 0));
            assertThat(exchange(first, new Batch(unique(), 1, onAllNodes())).grants())
                    .hasSize(100);
            cluster.nodes()
                    .forEach(node ->
                            assertThat((String) node.call("INFO", "keyspace")).contains("db0:", "db3:"));
        }
    }

    @Test
    void saysWhatToDoIfItIsMissing() {
        try (RedisCluster cluster = RedisCluster.open();
                CounterStore store = CounterStores.open(cluster.uri() + "/3")) {
            StoreException failure = catchThrowableOfType(
                    StoreException.class, () -> exchange(store, new Batch(unique(), 1, onAllNodes())));
            assertThat(failure)
                    .hasMessage(cluster.uri() + "/3 does not have the database of the store uri; write another number "
                            + "after the \"/\" or none: a Redis cluster has only database 0, a Valkey cluster has as "
                            + "many as cluster-databases says, from Valkey 9 on");
        }
    }

    @Test
    void reportsAMissingDatabaseOfASingleRedisTheSameWay() {
        try (RedisServer server = RedisServer.open("--databases", "2");
                CounterStore store = CounterStores.open(server.uri() + "/3")) {
            StoreException failure = catchThrowableOfType(
                    StoreException.class, () -> exchange(store, new Batch(unique(), 1, onAllNodes())));
            assertThat(failure)
                    .hasMessageStartingWith(
                            server.uri() + "/3 does not have the database of the store uri; write another ");
        }
    }
}
