package dev.sluice.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.store.redis.RedisAddress;
import dev.sluice.store.redis.RedisCounterStore;
import dev.sluice.store.redis.RedisLink;
import dev.sluice.store.redis.RedisOverrideSource;
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
     * Opens it alone. Returns at once; connections are made in the background, now and whenever one is lost.
     *
     * @throws IllegalArgumentException if the uri is not understood, or names no Redis; the message shows no password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names it
     */
    public static RedisOverrideSource open(String uri) {
        if (uri.equals(CounterStores.MEMORY)) {
            throw new IllegalArgumentException(
                    "store uri memory: cannot keep limits of clients; write, for example, redis://localhost:6379");
        }
        RedisAddress address = CounterStores.redis(uri);
        try {
            return new RedisOverrideSource(RedisLink.open(address));
        } catch (NoClassDefFoundError e) {
            throw CounterStores.withoutLettuce(address, e);
        }
    }
}
