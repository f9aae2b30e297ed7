package dev.sluice.benchmarks.fleet;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/** Asks Redis for each call: INCR, and PEXPIRE when the key is born. */
final class IncrementLimiter implements Instance {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    IncrementLimiter(String uri) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
    }

    @Override
    public boolean admits(String tenant) {
        RedisCommands<String, String> redis = connection.sync();
        String key = "get-product:" + tenant + ':' + Rule.windowOf(System.currentTimeMillis());
        long count = redis.incr(key);
        if (count == 1) {
            redis.pexpire(key, 2 * Rule.PERIOD_MILLIS);
        }
        return count <= Rule.THRESHOLD;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
