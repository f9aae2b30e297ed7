package dev.sluice.internal.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.CounterGifts;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.mongo.MongoCounterStore;
import dev.sluice.internal.store.mongo.admin.MongoBlockStore;
import dev.sluice.internal.store.mongo.admin.MongoCounters;
import dev.sluice.internal.store.mongo.admin.MongoInstances;
import dev.sluice.internal.store.mongo.admin.MongoOverrideStore;
import dev.sluice.internal.store.mongo.connection.MongoAddress;
import dev.sluice.internal.store.mongo.connection.MongoAddressParser;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.redis.RedisCounterStore;
import dev.sluice.internal.store.redis.admin.RedisBlockStore;
import dev.sluice.internal.store.redis.admin.RedisCounters;
import dev.sluice.internal.store.redis.admin.RedisInstances;
import dev.sluice.internal.store.redis.admin.RedisOverrideStore;
import dev.sluice.internal.store.redis.connection.LettuceOnClassPath;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisLink;

/**
 * A store as operators see it, including its overrides, blocked callers, instances and counters. Thread-safe.
 *
 * @param name the store's URI without its password
 * @param store the store itself, through the interface that instances use
 */
public record OperatedStore(
        String name,
        OverrideStore overrides,
        BlockStore blocks,
        Instances instances,
        LiveCounters counters,
        CounterStore store)
        implements AutoCloseable {

    /**
     * Opens a store. Returns immediately; the store connects in the background, and reconnects after losing a
     * connection.
     *
     * @throws IllegalArgumentException if the URI is invalid or is {@code memory:}; the message does not contain the
     *     password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names the
     *     library
     */
    public static OperatedStore open(String uri) {
        rejectMemory(uri);
        MongoAddress mongo = MongoAddressParser.parse(uri);
        return mongo == null ? open(CounterStores.redis(uri)) : open(mongo);
    }

    private static void rejectMemory(String uri) {
        if (uri.equals(CounterStores.MEMORY)) {
            throw new IllegalArgumentException(
                    "store uri memory: cannot store client limits; write, for example, redis://localhost:6379");
        }
    }

    private static OperatedStore open(RedisAddress address) {
        try {
            RedisLink link = RedisLink.open(address);
            return new OperatedStore(
                    address.toString(),
                    new RedisOverrideStore(link),
                    new RedisBlockStore(link.share()),
                    new RedisInstances(link.share()),
                    new RedisCounters(link.share()),
                    RedisCounterStore.over(link.share()));
        } catch (LinkageError e) {
            throw LettuceOnClassPath.explain(address, e);
        }
    }

    private static OperatedStore open(MongoAddress address) {
        try {
            MongoLink link = MongoLink.open(address);
            return new OperatedStore(
                    address.toString(),
                    new MongoOverrideStore(link),
                    new MongoBlockStore(link.share()),
                    new MongoInstances(link.share()),
                    new MongoCounters(link.share()),
                    MongoCounterStore.over(link.share()));
        } catch (NoClassDefFoundError e) {
            throw CounterStores.withoutDriver(address, e);
        }
    }

    /** Returns an object that gives calls to the counters of this store. */
    public CounterGifts gifts() {
        return new CounterGifts(counters, store);
    }

    @Override
    public void close() {
        store.close();
        counters.close();
        instances.close();
        blocks.close();
        overrides.close();
    }
}
