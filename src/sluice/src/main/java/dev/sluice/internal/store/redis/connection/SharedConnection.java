package dev.sluice.internal.store.redis.connection;

import dev.sluice.exchange.StoreException;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The threads and connections for one store URI. There is one connection for exchanges, one for operators and, if
 * needed, one for news. Therefore, long replies to operators do not delay exchanges, and only the connection that fails
 * has to be replaced. The last user closes all connections and threads. Lettuce restores broken connections. If a
 * command arrives before then, or if the connection is open but unusable, this class replaces the connection and
 * retries failed attempts. Thread-safe; {@code this} guards its state.
 */
final class SharedConnection {

    /** The minimum time between connection attempts. Between attempts, commands fail immediately. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final RedisAddress address;
    private final RedisClients clients;
    private final RedisNews news;
    private final Lane exchanges = new Lane();
    private final Lane operators = new Lane();
    private int users = 1;

    /** Creates the connections for the first user. */
    SharedConnection(RedisAddress address) {
        this.address = address;
        this.clients = RedisClients.of(address);
        this.news = new RedisNews(address, clients, exchanges::connection);
    }

    /** Adds a user. The user must call {@link #leave} later. */
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

    Lane exchanges() {
        return exchanges;
    }

    Lane operators() {
        return operators;
    }

    void behindAnswers(Runnable task) {
        clients.behindAnswers(task);
    }

    /** A connection that is opened on first use. */
    final class Lane {

        private @Nullable CompletableFuture<StatefulConnection<String, String>> current;
        private long startedAtNanos;

        /** Runs work within the time limit of an exchange. Fails only with a {@link StoreException}. */
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

        /** Completes with the connection once it is open. */
        CompletableFuture<StatefulConnection<String, String>> connection() {
            synchronized (SharedConnection.this) {
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
        }

        /**
         * Drops a connection that is broken or unresponsive, or whose server is no longer a master. The next command
         * opens a new one.
         */
        private void replace(CompletableFuture<StatefulConnection<String, String>> unusable) {
            synchronized (SharedConnection.this) {
                if (current != unusable) {
                    return;
                }
                current = null;
            }
            CompletableFuture<?> unused = RedisClients.close(unusable);
            if (this == exchanges) {
                news.reconnect();
            }
        }
    }

    /**
     * Whether to replace a connection. Broken connections are replaced too, because an attempt to open a new one might
     * fail with a more specific reason, such as a changed password. In a cluster, a broken connection is not replaced,
     * because other nodes might still be connected.
     */
    private boolean isUnusable(RedisFailure failed) {
        return failed.isConnectionUnusable()
                || (failed.isNotConnected() && address.kind() != RedisAddress.Kind.CLUSTER);
    }

    /** Creates the exception for calls after closing. */
    StoreException closed() {
        return StoreException.unavailable(address + " was closed by this instance", null);
    }

    /** If this was the last user, closes the connections, stops the threads, and waits for this to complete. */
    void leave() {
        List<? extends @Nullable CompletableFuture<StatefulConnection<String, String>>> open;
        synchronized (this) {
            users--;
            if (users > 0) {
                return;
            }
            open = Arrays.asList(exchanges.current, operators.current);
        }
        clients.close(Stream.concat(open.stream(), Stream.of(news.end()))
                .filter(Objects::nonNull)
                .toList());
    }
}
