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
 * The threads and connections for one store uri. There is one connection for exchanges, one for operators, and one for
 * news if needed. So a long answer to an operator does not delay exchanges, and only the connection that fails is
 * replaced. The last user closes everything. Lettuce restores broken connections by itself. If a command comes before
 * that, or if the connection is open but unusable, this class replaces it, and repeats failed attempts. Thread-safe;
 * {@code this} guards its state.
 */
final class SharedConnection {

    /** Minimum time between attempts to connect. In between, commands fail at once. */
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

    /** Adds a user, which must {@link #leave} later. */
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

    /** One connection, which opens at its first use. */
    final class Lane {

        private @Nullable CompletableFuture<StatefulConnection<String, String>> current;
        private long startedAtNanos;

        /** Runs work within the time limit of an exchange; fails only with a {@link StoreException}. */
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

        /** The connection, as soon as there is one. */
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
         * Drops a connection that does not answer, or whose server is no longer a master. The next command opens
         * another one.
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
     * Whether to replace a connection. A broken connection is replaced too, because if opening a new one fails, the
     * failure tells the reason, such as a changed password. It is not replaced in a cluster, where other nodes may be
     * connected.
     */
    private boolean isUnusable(RedisFailure failed) {
        return failed.isConnectionUnusable()
                || (failed.isNotConnected() && address.kind() != RedisAddress.Kind.CLUSTER);
    }

    /** The failure for calls after closing. */
    StoreException closed() {
        return StoreException.unavailable(address + " was closed by this instance", null);
    }

    /** If this was the last user, closes connections and threads, and waits until they are closed. */
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
