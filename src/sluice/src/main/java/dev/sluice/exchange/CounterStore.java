package dev.sluice.exchange;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of the counters that instances share. Implement this interface to use a store other than Redis or MongoDB.
 * Most of the work is in {@link #exchange}. {@link #subscribe} is optional: it notifies instances of each other's
 * exchanges sooner. See {@code examples/own-store} for an example, with tests that every store has to pass.
 *
 * <p>A store guarantees:
 * <ul>
 * <li>Batches are idempotent. If the reply is lost and an instance retries the batch, the store never applies it twice,
 * even after a long time.
 * <li>It never applies a batch that is older than the latest applied batch of the same instance.
 * <li>It applies each statement atomically.
 * <li>It deletes a counter some seconds after its window.
 * <li>When a lease ends, the permits that the instance held count as used until its next statement reports its actual
 * use. In a window, the instance may still use them after the lease has ended. Slots are the exception: they become
 * free. {@link dev.sluice.cell.Cell} implements these rules.
 * </ul>
 *
 * <p>Must be thread-safe. Only background threads call it, never request threads. Arguments and results are never
 * {@code null} unless marked.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Applies a batch. Returns at once; the stage completes later.
     *
     * @return completes with the reply, or exceptionally with a {@link StoreException}. A {@linkplain
     *     StoreException#temporary() temporary} exception means that the store could not be reached or did not reply in
     *     time. The batch may or may not have been applied, and the caller retries the same batch. A {@linkplain
     *     StoreException#isForgotten() forgotten} exception means that the store no longer knows whether it applied the
     *     batch
     */
    CompletionStage<Batch.Reply> exchange(Batch batch);

    /**
     * Runs a task once all replies that have already arrived are delivered. A store that reads replies on one thread
     * runs the task on that thread, behind them. If that thread is stalled, a reply may have arrived unread, and the
     * limiter must not conclude that the store is unresponsive. A store whose replies do not depend on one thread may
     * run the task at once, as this default does.
     */
    default void behindAnswers(Runnable task) {
        task.run();
    }

    /**
     * Subscribes an instance to news about exchanges of other instances that affect it. News may get lost. A store that
     * cannot push messages need not implement this method; instances then poll.
     *
     * @param instance the subscribing instance; it receives no news about its own exchanges
     * @param listener receives the news, on any thread; returns at once
     */
    default void subscribe(String instance, Consumer<News> listener) {}

    /** Ends the subscription of an instance. Not needed before {@link #close}. */
    default void unsubscribe(String instance) {}

    /**
     * A sentence without secrets that tells operators what to change about the store; {@code null} if there is nothing
     * to change. The health check, the page and the diagnostics show it. Returns at once, on any thread.
     */
    default @Nullable String warning() {
        return null;
    }

    /** Closes all connections and threads of the store. */
    @Override
    void close();

    /**
     * A message about an exchange of one instance that affects others.
     *
     * @param kind what happened
     * @param keys the affected counters, as {@link dev.sluice.CounterKey#text()}
     */
    record News(Kind kind, Set<String> keys) {

        public News {
            keys = Set.copyOf(keys);
        }

        /** The kinds of news. */
        public enum Kind {
            /**
             * Another instance's calls need permits, or its charges exceeded the limit. The instances that hold the
             * remaining permits have to return them.
             */
            RECALLED,
            /**
             * A used-up limit has permits again, or an instance has returned or used its permits. Instances with
             * waiting calls request permits again.
             */
            FREED,
            /** An operator has given calls. All instances that use the counter query the number. */
            GIVEN
        }
    }
}
