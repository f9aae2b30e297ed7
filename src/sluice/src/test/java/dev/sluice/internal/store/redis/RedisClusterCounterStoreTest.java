package dev.sluice.internal.store.redis;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.store.CounterStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A cluster, as a user who has only the rights that the documentation asks for. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
class RedisClusterCounterStoreTest extends CounterStoreContract {

    private static RedisCluster cluster;
    private static String uri = "";

    @BeforeAll
    static void start() {
        cluster = RedisCluster.open();
        uri = DocumentedRights.uri(cluster);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected CounterStore open() {
        return RedisClusterTest.open(uri);
    }
}
