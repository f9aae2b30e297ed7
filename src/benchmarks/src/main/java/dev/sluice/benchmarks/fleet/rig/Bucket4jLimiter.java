package dev.sluice.benchmarks.fleet.rig;

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
 * Bucket4j on Lettuce, with a bucket that is refilled completely at the start of each window. This is Bucket4j's
 * closest equivalent to a fixed window. The optimisations are part of a bucket's proxy, so each instance keeps one
 * proxy per caller, as the documentation recommends.
 */
final class Bucket4jLimiter implements Instance {

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final ProxyManager<String> buckets;
    private final Rule rule;
    private final @Nullable Optimization optimization;
    private final ConcurrentHashMap<String, Bucket> known = new ConcurrentHashMap<>();

    private Bucket4jLimiter(String uri, Rule rule, @Nullable Optimization optimization) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        this.buckets = Bucket4jLettuce.casBasedBuilder(connection)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.fixedTimeToLive(
                        rule.longestPeriod().multipliedBy(2)))
                .build();
        this.rule = rule;
        this.optimization = optimization;
    }

    static Instance plain(String uri, Rule rule) {
        return new Bucket4jLimiter(uri, rule, null);
    }

    static Instance delaying(String uri, Rule rule) {
        return new Bucket4jLimiter(uri, rule, Optimizations.delaying(delay(rule)));
    }

    static Instance predicting(String uri, Rule rule) {
        return new Bucket4jLimiter(uri, rule, Optimizations.predicting(delay(rule)));
    }

    /**
     * Synchronises after each interval, or earlier if a tenth of the limit has been taken since the last
     * synchronisation.
     */
    private static DelayParameters delay(Rule rule) {
        return new DelayParameters(Math.max(1, rule.threshold() / 10), Rule.SYNC);
    }

    @Override
    public boolean admits(String caller) {
        return known.computeIfAbsent(caller, this::bucket).tryConsume(1);
    }

    private Bucket bucket(String caller) {
        var builder = buckets.builder();
        return (optimization == null ? builder : builder.withOptimization(optimization))
                .build(caller, this::configuration);
    }

    private BucketConfiguration configuration() {
        long now = System.currentTimeMillis();
        var builder = BucketConfiguration.builder();
        for (Rule.Limit limit : rule.limits()) {
            builder.addLimit(bandwidth -> limit.kind() == Rule.Kind.BUCKET
                    ? bandwidth.capacity(limit.threshold()).refillGreedy(limit.threshold(), limit.period())
                    : bandwidth
                            .capacity(limit.threshold())
                            .refillIntervallyAligned(
                                    limit.threshold(),
                                    limit.period(),
                                    Instant.ofEpochMilli(limit.nextWindowMillis(now))));
        }
        return builder.build();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
