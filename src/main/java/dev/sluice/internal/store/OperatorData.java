package dev.sluice.internal.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.mongo.MongoCounterStore;
import dev.sluice.internal.store.operated.BlockStore;
import dev.sluice.internal.store.operated.Instances;
import dev.sluice.internal.store.redis.RedisCounterStore;
import dev.sluice.limits.ClientOverrideSource;
import org.jspecify.annotations.Nullable;

/** Finds what a store keeps beside its counters. */
public final class OperatorData {

    private OperatorData() {}

    /**
     * The limits that are kept in the same place as this store; {@code null} if it keeps none, or there is no store.
     * They share threads and connection; both have to be closed, in any order.
     */
    public static @Nullable ClientOverrideSource of(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.overrides();
        }
        return store instanceof RedisCounterStore redis ? redis.overrides() : null;
    }

    /**
     * The blocked callers of all instances on this store; {@code null} if it keeps none, or there is no store. To be closed as
     * well.
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
     * The instances that report to this store; {@code null} if it has none, or there is no store. They share threads
     * and connection; both have to be closed, in any order.
     */
    public static @Nullable Instances instances(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.instances();
        }
        return store instanceof RedisCounterStore redis ? redis.instances() : null;
    }
}
