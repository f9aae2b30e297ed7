package dev.sluice.internal.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.mongo.MongoCounterStore;
import dev.sluice.internal.store.redis.RedisCounterStore;
import dev.sluice.limits.ClientOverrideSource;
import org.jspecify.annotations.Nullable;

/** Provides access to a store's data for operators. */
public final class OperatorData {

    private OperatorData() {}

    /**
     * Returns the overrides in this store; {@code null} if the store does not support overrides or if there is no
     * store. The result shares threads and connections with the store. The caller must close both of them, in either
     * order.
     */
    public static @Nullable ClientOverrideSource of(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.overrides();
        }
        return store instanceof RedisCounterStore redis ? redis.overrides() : null;
    }

    /**
     * Returns the blocked callers in this store; {@code null} if the store does not support blocks or if there is no
     * store. The caller must also close the result.
     */
    public static @Nullable BlockStore blocks(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.blocks();
        }
        if (store instanceof RedisCounterStore redis) {
            return redis.blocks();
        }
        return store instanceof InMemoryCounterStore memory ? memory.blocks() : null;
    }

    /**
     * Returns a reader for the counters in this store; {@code null} if they cannot be read or if there is no store. The
     * caller must also close the result.
     */
    public static @Nullable LiveCounters counters(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.counters();
        }
        return store instanceof RedisCounterStore redis ? redis.counters() : null;
    }

    /**
     * Returns the instances that report to this store; {@code null} if the store does not accept reports or if there is
     * no store. The result shares threads and connections with the store. The caller must close both of them, in either
     * order.
     */
    public static @Nullable Instances instances(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.instances();
        }
        return store instanceof RedisCounterStore redis ? redis.instances() : null;
    }
}
