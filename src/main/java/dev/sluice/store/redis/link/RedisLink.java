package dev.sluice.store.redis.link;

import dev.sluice.exchange.StoreException;
import io.lettuce.core.api.StatefulConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The way to one Redis for one of those who use it, be they counters, limits or what operators ask. Who has closed it is
 * answered no more, though others may be. Safe for many threads.
 */
public final class RedisLink {

    private final SharedConnection shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RedisLink(SharedConnection shared) {
        this.shared = shared;
    }

    /** Opens it for a first user. Begins to connect, so that the first exchange need not wait. */
    public static RedisLink open(RedisAddress address) {
        RedisLink link = new RedisLink(new SharedConnection(address));
        CompletableFuture<?> unused = link.connection();
        return link;
    }

    /** Another for one more user, who closes it too. */
    public RedisLink share() {
        shared.join();
        return new RedisLink(shared);
    }

    public RedisAddress address() {
        return shared.address();
    }

    public RedisNews news() {
        return shared.news();
    }

    /**
     * Does something over the connection in the time that an exchange may take; fails with a {@link StoreException}
     * alone.
     */
    public <T> CompletableFuture<T> use(Function<StatefulConnection<String, String>, CompletionStage<T>> work) {
        return closed.get() ? CompletableFuture.failedFuture(shared.closed()) : shared.use(work);
    }

    /** The connection, as soon as there is one. */
    public CompletableFuture<StatefulConnection<String, String>> connection() {
        return closed.get() ? CompletableFuture.failedFuture(shared.closed()) : shared.connection();
    }

    /** Ends connections and threads, and waits for that, if this was the last user. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            shared.leave();
        }
    }
}
