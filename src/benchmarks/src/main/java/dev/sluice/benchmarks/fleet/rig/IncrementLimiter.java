package dev.sluice.benchmarks.fleet.rig;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/** Sends INCR to Redis for each call, followed by PEXPIRE if the key is new. */
final class IncrementLimiter implements Instance {

    private final Rule.Limit limit;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    IncrementLimiter(String uri, Rule rule) {
        this.limit = rule.limits().get(0);
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
    }

    @Override
    public boolean admits(String caller) {
        RedisCommands<String, String> redis = connection.sync();
        String key = limit.endpoint() + ':' + caller + ':' + limit.windowOf(System.currentTimeMillis());
        long count = redis.incr(key);
        if (count == 1) {
            redis.pexpire(key, 2 * limit.period().toMillis());
        }
        return count <= limit.threshold();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
