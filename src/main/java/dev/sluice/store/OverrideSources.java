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

/** Opens the place in a store where limits of single clients are kept. */
public final class OverrideSources {

    private OverrideSources() {}

    /**
     * The limits that are kept where this store counts; {@code null} if it keeps none, or is none. They share its threads and
     * connection; both are to be closed, in any order.
     */
    public static @Nullable ClientOverrideSource of(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.limits();
        }
        return store instanceof RedisCounterStore redis ? redis.limits() : null;
    }

    /**
     * Where the instances that count in this store tell of themselves; {@code null} if it has no such place, or is none.
     * It shares threads and connection with the store; both are to be closed, in any order.
     */
    public static @Nullable Instances instances(@Nullable CounterStore store) {
        if (store instanceof MongoCounterStore mongo) {
            return mongo.instances();
        }
        return store instanceof RedisCounterStore redis ? redis.instances() : null;
    }

    /**
     * Opens it alone. Returns at once; connections are made in the background, now and whenever one is lost.
     *
     * @throws IllegalArgumentException if the uri is not understood, or names no store that keeps anything; the message shows no password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names it
     */
    public static KeptLimits open(String uri) {
        refuseMemory(uri);
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

    static void refuseMemory(String uri) {
        if (uri.equals(CounterStores.MEMORY)) {
            throw new IllegalArgumentException(
                    "store uri memory: cannot keep limits of clients; write, for example, redis://localhost:6379");
        }
    }
}
