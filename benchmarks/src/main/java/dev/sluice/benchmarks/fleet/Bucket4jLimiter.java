package dev.sluice.benchmarks.fleet;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Bucket4j on Lettuce, with a bucket that is filled up at the start of each window, which is its nearest to a fixed window. Its
 * optimisations live in the bucket's proxy, so each instance keeps one for each tenant, as its documentation asks.
 */
final class Bucket4jLimiter implements Instance {

    /** An exchange every interval, or when so much was taken unsaid, whichever is first. */
    private static final DelayParameters DELAY = new DelayParameters(Rule.THRESHOLD / 10, Rule.SYNC);

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final ProxyManager<String> buckets;
    private final @Nullable Optimization optimization;
    private final ConcurrentHashMap<String, Bucket> known = new ConcurrentHashMap<>();

    private Bucket4jLimiter(String uri, @Nullable Optimization optimization) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        this.buckets = Bucket4jLettuce.casBasedBuilder(connection)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.fixedTimeToLive(Rule.PERIOD.multipliedBy(2)))
                .build();
        this.optimization = optimization;
    }

    static Instance plain(String uri) {
        return new Bucket4jLimiter(uri, null);
    }

    static Instance delaying(String uri) {
        return new Bucket4jLimiter(uri, Optimizations.delaying(DELAY));
    }

    static Instance predicting(String uri) {
        return new Bucket4jLimiter(uri, Optimizations.predicting(DELAY));
    }

    @Override
    public boolean admits(String tenant) {
        return known.computeIfAbsent(tenant, this::bucket).tryConsume(1);
    }

    private Bucket bucket(String tenant) {
        var builder = buckets.builder();
        return (optimization == null ? builder : builder.withOptimization(optimization))
                .build(tenant, Bucket4jLimiter::configuration);
    }

    private static BucketConfiguration configuration() {
        long next = (Rule.windowOf(System.currentTimeMillis()) + 1) * Rule.PERIOD_MILLIS;
        return BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(Rule.THRESHOLD)
                        .refillIntervallyAligned(Rule.THRESHOLD, Rule.PERIOD, Instant.ofEpochMilli(next)))
                .build();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
