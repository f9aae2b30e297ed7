package dev.sluice.store;

import dev.sluice.StoreException;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one connection of a store. Lettuce mends a broken one by itself; a first attempt that failed is repeated here, and
 * a connection that is open but of no use is replaced. Safe for many threads; state is guarded by {@code this}.
 */
final class RedisLink {

    /** While Redis is away, exchanges fail at once instead of trying to connect more often than this. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final RedisAddress address;
    private final RedisClients clients;
    private @Nullable CompletableFuture<StatefulConnection<String, String>> current;
    private long startedAtNanos;

    RedisLink(RedisAddress address) {
        this.address = address;
        this.clients = RedisClients.of(address);
    }

    /** Begins to connect, so that the first exchange need not wait. */
    void connect() {
        CompletableFuture<?> unused = connection();
    }

    /** Does something over the connection in the time that an exchange may take; fails with a {@link StoreException} alone. */
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
        if (cause instanceof StoreException told) {
            return told;
        }
        RedisTrouble trouble = RedisTrouble.of(failure);
        if (trouble.connectionIsUseless() && connecting.isDone() && !connecting.isCompletedExceptionally()) {
            replace(connecting.join());
        }
        return trouble.asException(address);
    }

    /** The connection, as soon as there is one. */
    synchronized CompletableFuture<StatefulConnection<String, String>> connection() {
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
    private void replace(StatefulConnection<String, String> useless) {
        synchronized (this) {
            if (current == null || connectionNow(current) != useless) {
                return;
            }
            current = null;
        }
        useless.closeAsync().exceptionally(gone -> null);
    }

    private static @Nullable StatefulConnection<String, String> connectionNow(
            CompletableFuture<StatefulConnection<String, String>> future) {
        try {
            return future.getNow(null);
        } catch (CompletionException e) {
            return null;
        }
    }

    /** Ends the connection and all threads, and waits for that. */
    void close() {
        StatefulConnection<String, String> open;
        synchronized (this) {
            open = current == null ? null : connectionNow(current);
        }
        clients.close(open);
    }
}
