package dev.sluice.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.store.redis.RedisCounterStore;
import dev.sluice.store.redis.limits.RedisOverrideSource;
import dev.sluice.store.redis.link.RedisAddress;
import dev.sluice.store.redis.link.RedisLink;
import dev.sluice.store.redis.operator.RedisInstances;
import org.jspecify.annotations.Nullable;

/** Opens the place in a store where limits of single clients are kept. */
public final class OverrideSources {

    private OverrideSources() {}

    /**
     * The limits that are kept where this store counts; {@code null} if it keeps none, or is none. They share its threads and
     * connection; both are to be closed, in any order.
     */
    public static @Nullable ClientOverrideSource of(@Nullable CounterStore store) {
        return store instanceof RedisCounterStore redis ? redis.limits() : null;
    }

    /**
     * Where the instances that count in this store tell of themselves; {@code null} if it has no such place, or is none.
     * It shares threads and connection with the store; both are to be closed, in any order.
     */
    public static @Nullable RedisInstances instances(@Nullable CounterStore store) {
        return store instanceof RedisCounterStore redis ? redis.instances() : null;
    }

    /**
     * Opens it alone. Returns at once; connections are made in the background, now and whenever one is lost.
     *
     * @throws IllegalArgumentException if the uri is not understood, or names no Redis; the message shows no password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names it
     */
    public static RedisOverrideSource open(String uri) {
        RedisAddress address = address(uri);
        try {
            return new RedisOverrideSource(RedisLink.open(address));
        } catch (NoClassDefFoundError e) {
            throw CounterStores.withoutLettuce(address, e);
        }
    }

    /** Of the Redis that a uri names. */
    static RedisAddress address(String uri) {
        if (uri.equals(CounterStores.MEMORY)) {
            throw new IllegalArgumentException(
                    "store uri memory: cannot keep limits of clients; write, for example, redis://localhost:6379");
        }
        return CounterStores.redis(uri);
    }
}
