package dev.sluice.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.store.mongo.MongoCounterStore;
import dev.sluice.store.mongo.limits.MongoKeptLimits;
import dev.sluice.store.mongo.link.MongoAddress;
import dev.sluice.store.mongo.link.MongoAddressParser;
import dev.sluice.store.mongo.link.MongoLink;
import dev.sluice.store.operated.Instances;
import dev.sluice.store.operated.KeptLimits;
import dev.sluice.store.redis.RedisCounterStore;
import dev.sluice.store.redis.limits.RedisOverrideSource;
import dev.sluice.store.redis.link.LettuceOnClassPath;
import dev.sluice.store.redis.link.RedisAddress;
import dev.sluice.store.redis.link.RedisLink;
import org.jspecify.annotations.Nullable;

/** Opens the limits of clients that are kept in a store. */
public final class OverrideSources {

    private OverrideSources() {}

    /**
     * The limits that are kept in the same place as this store; {@code null} if it keeps none, or there is no store.
     * They share threads and connection; both have to be closed, in any order.
     */
    public static @Nullable ClientOverrideSource of(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.limits();
        }
        return store instanceof RedisCounterStore redis ? redis.limits() : null;
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

    /**
     * Opens the limits without the counters. Returns at once; connections are made in the background, now and whenever
     * one is lost.
     *
     * @throws IllegalArgumentException if the uri is not understood, or names no store that keeps anything; the message shows no password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names it
     */
    public static KeptLimits open(String uri) {
        rejectMemory(uri);
        MongoAddress mongo = MongoAddressParser.parse(uri);
        return mongo == null ? open(CounterStores.redis(uri)) : open(mongo);
    }

    private static KeptLimits open(RedisAddress address) {
        try {
            return new RedisOverrideSource(RedisLink.open(address));
        } catch (LinkageError e) {
            throw LettuceOnClassPath.explain(address, e);
        }
    }

    private static KeptLimits open(MongoAddress address) {
        try {
            return new MongoKeptLimits(MongoLink.open(address));
        } catch (NoClassDefFoundError e) {
            throw CounterStores.withoutDriver(address, e);
        }
    }

    static void rejectMemory(String uri) {
        if (uri.equals(CounterStores.MEMORY)) {
            throw new IllegalArgumentException(
                    "store uri memory: cannot keep limits of clients; write, for example, redis://localhost:6379");
        }
    }
}
