package dev.sluice.benchmarks.fleet;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The plain two-layer counter: calls are counted in memory, and a call that finds its counter's last exchange older than the interval
 * first adds what is new to Redis and reads the sum, on its own thread. Kindly read: INCRBY and EXPIRE are sent
 * together, and other calls do not wait for one that is exchanging.
 */
final class ArticleLimiter implements Instance {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();

    ArticleLimiter(String uri) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
    }

    @Override
    public boolean admits(String tenant) {
        long window = Rule.windowOf(System.currentTimeMillis());
        Counter counter = counters.get(tenant);
        if (counter == null || counter.window != window) {
            counter = counters.compute(
                    tenant, (name, old) -> old != null && old.window == window ? old : new Counter(name, window));
        }
        if (counter.isStale() && counter.exchanging.compareAndSet(false, true)) {
            counter.exchange(connection.async());
            counter.exchanging.set(false);
        }
        return counter.take();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }

    private static final class Counter {
        final long window;
        final AtomicBoolean exchanging = new AtomicBoolean();
        private final String key;
        private final AtomicLong unsent = new AtomicLong();
        private volatile long shared;
        private volatile long exchangedNanos = System.nanoTime() - Rule.SYNC.toNanos();

        Counter(String tenant, long window) {
            this.window = window;
            this.key = "get-product:" + tenant + ':' + window;
        }

        boolean isStale() {
            return System.nanoTime() - exchangedNanos >= Rule.SYNC.toNanos();
        }

        void exchange(RedisAsyncCommands<String, String> redis) {
            long delta = unsent.getAndSet(0);
            RedisFuture<Long> sum = redis.incrby(key, delta);
            RedisFuture<Boolean> expiry = redis.expire(key, 2 * Rule.PERIOD.toSeconds());
            try {
                shared = sum.get();
                expiry.get();
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            exchangedNanos = System.nanoTime();
        }

        boolean take() {
            while (true) {
                long taken = unsent.get();
                if (shared + taken >= Rule.THRESHOLD) {
                    return false;
                }
                if (unsent.compareAndSet(taken, taken + 1)) {
                    return true;
                }
            }
        }
    }
}
