package dev.sluice.store.redis.link;

import dev.sluice.exchange.StoreException;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce for one store uri: the threads and the one connection that counters and limits share, and another for news
 * once somebody wants them. It ends with its last user. Lettuce mends a broken connection by itself; a first attempt
 * that failed is repeated here, and a connection that is open but of no use is replaced. Safe for many threads; state
 * is guarded by {@code this}.
 */
public final class RedisLink {

    /** While Redis is away, exchanges fail at once instead of trying to connect more often than this. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final RedisAddress address;
    private final RedisClients clients;
    private final RedisNews news;
    private @Nullable CompletableFuture<StatefulConnection<String, String>> current;
    private long startedAtNanos;
    private int users = 1;

    private RedisLink(RedisAddress address) {
        this.address = address;
        this.clients = RedisClients.of(address);
        this.news = new RedisNews(address, clients, this::connection);
    }

    /**
     * Opens it for a first user. Begins to connect, so that the first exchange need not wait.
     *
     * @throws IllegalStateException if there is no Lettuce, or one that is too old
     */
    public static RedisLink open(RedisAddress address) {
        LettuceOnClassPath.require(address);
        RedisLink link = new RedisLink(address);
        CompletableFuture<?> unused = link.connection();
        return link;
    }

    /** The same for one more user, who closes it too. */
    public synchronized RedisLink share() {
        if (users == 0) {
            throw new IllegalStateException(address + " was closed by this instance");
        }
        users++;
        return this;
    }

    public RedisAddress address() {
        return address;
    }

    public RedisNews news() {
        return news;
    }

    /**
     * Does something over the connection in the time that an exchange may take; fails with a {@link StoreException}
     * alone.
     */
    public <T> CompletableFuture<T> use(Function<StatefulConnection<String, String>, CompletionStage<T>> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<StatefulConnection<String, String>> connecting = connection();
        CompletableFuture<?> unused = connecting
                .thenCompose(work)
                .orTimeout(address.options().timeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        answer.complete(reply);
                    } else {
                        answer.completeExceptionally(explain(failure, connecting));
                    }
                });
        return answer;
    }

    private StoreException explain(
            Throwable failure, CompletableFuture<StatefulConnection<String, String>> connecting) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof StoreException told) {
            return told;
        }
        RedisTrouble trouble = RedisTrouble.of(failure);
        if (trouble.connectionIsUseless() && connecting.isDone() && !connecting.isCompletedExceptionally()) {
            replace(connecting);
        }
        return trouble.asException(address);
    }

    /** The connection, as soon as there is one. */
    public synchronized CompletableFuture<StatefulConnection<String, String>> connection() {
        if (users == 0) {
            return CompletableFuture.failedFuture(
                    StoreException.unavailable(address + " was closed by this instance", null));
        }
        CompletableFuture<StatefulConnection<String, String>> known = current;
        boolean rested = System.nanoTime() - startedAtNanos > PAUSE.toNanos();
        if (known == null || (known.isCompletedExceptionally() && rested)) {
            startedAtNanos = System.nanoTime();
            known = clients.connect();
            current = known;
        }
        return known;
    }

    /** Lets go of a connection that answers nothing or not as a master; the next exchange opens another. */
    private void replace(CompletableFuture<StatefulConnection<String, String>> useless) {
        synchronized (this) {
            if (current != useless) {
                return;
            }
            current = null;
        }
        CompletableFuture<?> unused = RedisClients.close(useless);
        news.reconnect();
    }

    /** Ends connections and threads, and waits for that, if this was the last user. */
    public void close() {
        CompletableFuture<StatefulConnection<String, String>> open;
        synchronized (this) {
            users--;
            if (users > 0) {
                return;
            }
            open = current;
        }
        clients.close(Stream.of(open, news.end()).filter(Objects::nonNull).toList());
    }
}
