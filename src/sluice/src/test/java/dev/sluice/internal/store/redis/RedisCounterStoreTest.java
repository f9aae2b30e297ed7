package dev.sluice.internal.store.redis;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.CounterStoreContract;
import dev.sluice.store.Exchanges;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One Redis, as a user who has only the rights that the documentation asks for. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
class RedisCounterStoreTest extends CounterStoreContract {

    private static RedisServer redis;
    private static String uri;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
        uri = DocumentedRights.uri(redis);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    protected CounterStore open() {
        CounterStore store = CounterStores.open(uri);
        // Lettuce may tell that it has connected a moment before it takes commands.
        Exchanges.exchangeInTheEnd(store, Exchanges.batch(Exchanges.unique(), 1));
        return store;
    }
}
