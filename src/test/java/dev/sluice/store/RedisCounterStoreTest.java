package dev.sluice.store;

import dev.sluice.CounterStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One Redis, as a user who has only the rights that the documentation asks for. */
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
        return CounterStores.open(uri + "?timeout=5s");
    }

    @Override
    protected long now() {
        return System.currentTimeMillis();
    }

    @Override
    protected void letPass(Duration time) {
        Exchanges.pause(time.toMillis());
    }
}
