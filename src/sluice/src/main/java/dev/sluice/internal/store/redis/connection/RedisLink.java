package dev.sluice.internal.store.redis.connection;

import dev.sluice.exchange.StoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Provides access to a Redis deployment for one of several users in this process, such as counters, overrides or
 * operators. Closing a link does not close the links of other users. Thread-safe.
 */
public final class RedisLink {

    private final SharedConnection shared;
    private final SharedConnection.Lane lane;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RedisLink(SharedConnection shared, SharedConnection.Lane lane) {
        this.shared = shared;
        this.lane = lane;
    }

    /**
     * Opens a link for the first user, and starts connecting.
     *
     * @throws IllegalStateException if Lettuce is missing or too old
     */
    public static RedisLink open(RedisAddress address) {
        LettuceOnClassPath.require(address);
        SharedConnection shared = new SharedConnection(address);
        RedisLink link = new RedisLink(shared, shared.exchanges());
        CompletableFuture<?> unused = link.connection();
        return link;
    }

    /** Creates a link for an additional user of the same connection. That user must also close the link. */
    public RedisLink share() {
        shared.join();
        return new RedisLink(shared, lane);
    }

    /**
     * Creates a link that uses a separate connection, so that exchanges never wait for the link's user. That user must
     * also close the link.
     */
    public RedisLink besideExchanges() {
        shared.join();
        return new RedisLink(shared, shared.operators());
    }

    public RedisAddress address() {
        return shared.address();
    }

    public RedisNews news() {
        return shared.news();
    }

    /** Runs work on the connection within the time limit of an exchange. Fails only with a {@link StoreException}. */
    public <T> CompletableFuture<T> use(Function<StatefulConnection<String, String>, CompletionStage<T>> work) {
        return closed.get() ? CompletableFuture.failedFuture(shared.closed()) : lane.use(work);
    }

    /** Sends individual commands that do not belong to an exchange. The other requirements of {@link #use} apply. */
    public <T> CompletableFuture<T> send(
            Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> commands) {
        return use(connection -> commands.apply(commands(connection)));
    }

    /** The commands of a connection, either to a single server or to a cluster. */
    public static RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
        return connection instanceof StatefulRedisClusterConnection<String, String> nodes
                ? nodes.async()
                : ((StatefulRedisConnection<String, String>) connection).async();
    }

    /** The replies to several commands, in the order of the commands. Completes when all replies have arrived. */
    public static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> asked) {
        List<CompletableFuture<T>> answers =
                asked.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    /**
     * Runs a task on one of Lettuce's threads, after each of these threads has read all data that had already arrived.
     */
    public void behindAnswers(Runnable task) {
        shared.behindAnswers(task);
    }

    /** Completes with the connection once it is open. */
    public CompletableFuture<StatefulConnection<String, String>> connection() {
        return closed.get() ? CompletableFuture.failedFuture(shared.closed()) : lane.connection();
    }

    /** If this was the last user, closes the connections, stops the threads, and waits for this to complete. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            shared.leave();
        }
    }
}
