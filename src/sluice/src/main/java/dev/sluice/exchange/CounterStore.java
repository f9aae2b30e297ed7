package dev.sluice.exchange;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store for the counters that instances share. Implement this interface to use a store other than Redis or MongoDB.
 * Instances communicate with the store through {@link #exchange}. The {@link #subscribe} method is optional. If a store
 * implements it, instances learn of each other's exchanges sooner. The {@code examples/own-store} directory contains an
 * example and the tests that every store has to pass.
 *
 * <p>A store guarantees:
 * <ul>
 * <li>Batches are idempotent. If a reply is lost and the instance resends the batch, the store never applies it twice,
 * even after a long time.
 * <li>The store never applies a batch that is older than the latest applied batch of the same instance.
 * <li>The store applies each statement atomically.
 * <li>The store deletes a counter a few seconds after its window has ended.
 * <li>When a lease ends, the permits that the instance held count as used until its next statement reports its actual
 * usage. The instance can still use permits of a window after the lease has ended. Slots are the exception: they become
 * free when the lease ends. {@link dev.sluice.cell.Cell} implements these rules.
 * </ul>
 *
 * <p>Implementations must be thread-safe. Only background threads call a store, never request threads. Arguments and
 * results are never {@code null} unless marked.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Applies a batch. Returns immediately; the stage completes later.
     *
     * @return a stage that completes with the reply, or exceptionally with a {@link StoreException}. A
     *     {@linkplain StoreException#temporary() temporary} exception means that the store could not be reached or did
     *     not reply in time. In that case, it is unknown whether the batch was applied, and the instance resends it. A
     *     {@linkplain StoreException#isForgotten() forgotten} exception means that the store no longer knows whether it
     *     applied the batch
     */
    CompletionStage<Batch.Reply> exchange(Batch batch);

    /**
     * Runs a task after all replies that have already arrived have been delivered. A store that reads replies on one
     * thread runs the task on that thread, after those replies. If that thread is stalled, a reply might have arrived
     * but not been read yet. In this case, the limiter must not conclude that the store is unresponsive. A store whose
     * replies do not depend on a single thread can run the task immediately, as this default implementation does.
     */
    default void behindAnswers(Runnable task) {
        task.run();
    }

    /**
     * Subscribes an instance to news about other instances' exchanges that affect its counters. News can be lost. A
     * store that cannot push messages does not need to implement this method; instances then poll.
     *
     * @param instance the subscribing instance; it receives no news about its own exchanges
     * @param listener receives the news, on any thread; must return immediately
     */
    default void subscribe(String instance, Consumer<News> listener) {}

    /** Ends the subscription of an instance. It is not necessary to call this method before {@link #close}. */
    default void unsubscribe(String instance) {}

    /**
     * A sentence for operators that states what to change about the store; {@code null} if no change is needed. It
     * contains no secrets, and appears in the health check, on the page and in the diagnostics. This method can be
     * called on any thread and returns immediately.
     */
    default @Nullable String warning() {
        return null;
    }

    /** Closes all connections and threads of the store. */
    @Override
    void close();

    /**
     * A message about an exchange of one instance that affects other instances.
     *
     * @param kind what happened
     * @param keys the keys of the affected counters, as returned by {@link dev.sluice.CounterKey#text()}
     */
    record News(Kind kind, Set<String> keys) {

        public News {
            keys = Set.copyOf(keys);
        }

        /** The kinds of news. */
        public enum Kind {
            /**
             * Calls of one instance need permits, or its charges have exceeded the limit, and other instances hold all
             * remaining permits. These instances have to return them.
             */
            RECALLED,
            /**
             * Permits of a used-up limit are available again, or an instance has returned or used permits that it held.
             * Instances with waiting calls request permits again.
             */
            FREED,
            /**
             * An operator has given calls to a counter. All instances that use the counter query the number of given
             * calls.
             */
            GIVEN
        }
    }
}
