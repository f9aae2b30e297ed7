package dev.sluice.store;

import dev.sluice.CounterStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisCounterStoreTest extends CounterStoreContract {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    protected CounterStore open() {
        return CounterStores.open(redis.uri() + "?timeout=5s");
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
