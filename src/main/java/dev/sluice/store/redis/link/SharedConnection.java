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
 * The threads and connection for one store uri, shared by counters and limits, and another connection for news if
 * needed. Closed with its last user. Lettuce restores a broken connection by itself; if an exchange comes before that, or
 * the connection is open but unusable, it is replaced here, and a failed attempt is repeated. Safe for many threads;
 * state is guarded by {@code this}.
 */
final class SharedConnection {

    /** While Redis is away, exchanges fail at once instead of trying to connect more often than this. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final RedisAddress address;
    private final RedisClients clients;
    private final RedisNews news;
    private @Nullable CompletableFuture<StatefulConnection<String, String>> current;
    private long startedAtNanos;
    private int users = 1;

    /** Creates it for the first user. */
    SharedConnection(RedisAddress address) {
        this.address = address;
        this.clients = RedisClients.of(address);
        this.news = new RedisNews(address, clients, this::connection);
    }

    /** Adds a user, who has to leave too. */
    synchronized void join() {
        if (users == 0) {
            throw new IllegalStateException(closed().getMessage());
        }
        users++;
    }

    RedisAddress address() {
        return address;
    }

    RedisNews news() {
        return news;
    }

    /** Runs work on the connection, within the time limit of an exchange; fails only with a {@link StoreException}. */
    <T> CompletableFuture<T> use(Function<StatefulConnection<String, String>, CompletionStage<T>> work) {
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
        if (cause instanceof StoreException known) {
            return known;
        }
        RedisFailure failed = RedisFailure.of(failure);
        if (isUnusable(failed) && connecting.isDone() && !connecting.isCompletedExceptionally()) {
            replace(connecting);
        }
        return failed.asException(address);
    }

    /**
     * A broken connection is replaced too, since a new one that fails says why, such as that the password has changed.
     * But not to a cluster, where other nodes may be connected.
     */
    private boolean isUnusable(RedisFailure failed) {
        return failed.isConnectionUnusable()
                || (failed.isNotConnected() && address.kind() != RedisAddress.Kind.CLUSTER);
    }

    /** The connection, as soon as there is one. */
    synchronized CompletableFuture<StatefulConnection<String, String>> connection() {
        if (users == 0) {
            return CompletableFuture.failedFuture(closed());
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

    /** Drops a connection that does not answer, or not as a master; the next exchange opens another. */
    private void replace(CompletableFuture<StatefulConnection<String, String>> unusable) {
        synchronized (this) {
            if (current != unusable) {
                return;
            }
            current = null;
        }
        CompletableFuture<?> unused = RedisClients.close(unusable);
        news.reconnect();
    }

    /** The failure for a user that has closed it. */
    StoreException closed() {
        return StoreException.unavailable(address + " was closed by this instance", null);
    }

    /** Closes connections and threads, and waits for that, if this was the last user. */
    void leave() {
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
