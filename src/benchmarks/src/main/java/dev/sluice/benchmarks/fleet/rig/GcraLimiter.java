package dev.sluice.benchmarks.fleet.rig;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * Runs a Redis script for each call. The script counts in the same way as the redis-cell module (GCRA). For each
 * caller, it stores the time at which all taken permits will have drained. The result is a bucket whose capacity is the
 * threshold. The script uses the Redis clock.
 */
final class GcraLimiter implements Instance {

    /**
     * Arguments: the time that one call takes to drain, and the time that a full bucket takes to drain, both in
     * microseconds.
     */
    private static final String SCRIPT = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local free = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + ARGV[1]
            if free - now > tonumber(ARGV[2]) then
              return 0
            end
            redis.call('SET', KEYS[1], string.format('%.0f', free), 'PX', math.ceil((free - now) / 1000))
            return 1
            """;

    private final Rule.Limit limit;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String digest;

    GcraLimiter(String uri, Rule rule) {
        this.limit = rule.limits().get(0);
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
        this.digest = connection.sync().scriptLoad(SCRIPT);
    }

    @Override
    public boolean admits(String caller) {
        RedisCommands<String, String> redis = connection.sync();
        long full = limit.period().toMillis() * 1_000;
        Long passes = redis.evalsha(
                digest,
                ScriptOutputType.INTEGER,
                new String[] {limit.endpoint() + ':' + caller},
                Long.toString(full / limit.threshold()),
                Long.toString(full));
        return passes == 1;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
