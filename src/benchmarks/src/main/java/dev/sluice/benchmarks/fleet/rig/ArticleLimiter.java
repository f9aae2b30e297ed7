package dev.sluice.benchmarks.fleet.rig;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The plain two-layer counter from the article. Calls are counted in memory. If the last exchange for a counter was
 * longer ago than the interval, the next call first adds the new count to Redis and reads the sum, on the call's own
 * thread. The implementation favours this limiter: INCRBY and EXPIRE are sent together, calls do not wait for exchanges
 * started by other calls, and a call takes permits either from all its counters or from none.
 */
final class ArticleLimiter implements Instance {

    private final List<Rule.Limit> limits;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final ConcurrentHashMap<Id, Counter> counters = new ConcurrentHashMap<>();

    /** Identifies a counter by its caller and its limit. */
    private record Id(String caller, int limit) {}

    ArticleLimiter(String uri, Rule rule) {
        this.limits = rule.limits();
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
    }

    @Override
    public boolean admits(String caller) {
        long now = System.currentTimeMillis();
        Counter[] taken = new Counter[limits.size()];
        for (int i = 0; i < taken.length; i++) {
            Counter counter = counter(new Id(caller, i), limits.get(i).windowOf(now));
            if (counter.isStale() && counter.exchanging.compareAndSet(false, true)) {
                counter.exchange(connection.async());
                counter.exchanging.set(false);
            }
            if (!counter.take()) {
                release(taken, i);
                return false;
            }
            taken[i] = counter;
        }
        return true;
    }

    private Counter counter(Id id, long window) {
        Counter counter = counters.get(id);
        if (counter != null && counter.window == window) {
            return counter;
        }
        return counters.compute(
                id, (same, old) -> old != null && old.window == window ? old : newCounter(same, window));
    }

    private Counter newCounter(Id id, long window) {
        Rule.Limit limit = limits.get(id.limit);
        return new Counter(limit.endpoint() + ':' + id.limit + ':' + id.caller + ':' + window, limit, window);
    }

    private static void release(Counter[] taken, int count) {
        for (int i = 0; i < count; i++) {
            taken[i].unsent.decrementAndGet();
        }
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }

    private static final class Counter {
        final long window;
        final AtomicBoolean exchanging = new AtomicBoolean();
        final AtomicLong unsent = new AtomicLong();
        private final String key;
        private final Rule.Limit limit;
        private volatile long shared;
        private volatile long exchangedNanos = System.nanoTime() - Rule.SYNC.toNanos();

        Counter(String key, Rule.Limit limit, long window) {
            this.key = key;
            this.limit = limit;
            this.window = window;
        }

        boolean isStale() {
            return System.nanoTime() - exchangedNanos >= Rule.SYNC.toNanos();
        }

        void exchange(RedisAsyncCommands<String, String> redis) {
            long delta = unsent.getAndSet(0);
            RedisFuture<Long> sum = redis.incrby(key, delta);
            RedisFuture<Boolean> expiry = redis.expire(key, 2 * limit.period().toSeconds());
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
                if (shared + taken >= limit.threshold()) {
                    return false;
                }
                if (unsent.compareAndSet(taken, taken + 1)) {
                    return true;
                }
            }
        }
    }
}
