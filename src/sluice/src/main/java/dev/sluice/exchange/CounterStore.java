package dev.sluice.exchange;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The counters that instances share. Implement it to count in another store than Redis or MongoDB. Most of the work is
 * {@link #exchange}. {@link #subscribe} is optional: it lets instances learn of each other's exchanges sooner. An
 * example is {@code examples/own-store}, with tests that every store has to pass.
 *
 * <p>A store guarantees:
 * <ul>
 * <li>Batches are idempotent: it never applies one twice, however late an instance retries it because the reply was
 * lost.
 * <li>It never applies a batch that is older than the latest applied batch of the same instance.
 * <li>It applies each statement atomically.
 * <li>It deletes a counter some seconds after its window.
 * <li>When a lease ends, the permits that the instance held count as used, until its next statement reports its real
 * use. The instance may still use the permits of a window after that. Only slots become free. {@link
 * dev.sluice.cell.Cell} does all this.
 * </ul>
 *
 * <p>Must be thread-safe. Only background threads call it, never the thread of a request. Arguments and results are
 * never {@code null} unless marked.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Applies a batch. Returns at once; the stage completes later.
     *
     * @return completes with the reply, or exceptionally with a {@link StoreException}. A
     *     {@linkplain StoreException#temporary() temporary} one means that the store could not be reached or did not
     *     answer in time: the batch may or may not have been applied, and the caller retries the same batch. A
     *     {@linkplain StoreException#isForgotten() forgotten} one means that the store cannot tell any more
     */
    CompletionStage<Batch.Reply> exchange(Batch batch);

    /**
     * Runs a task once all answers that have arrived by now are delivered. A store that reads answers on one thread
     * runs the task on that thread, after them: while the thread is stalled, an answer may have arrived unread, so the
     * limiter must not conclude that the store is unresponsive. A store whose answers do not depend on one thread may
     * run the task at once, as this method does.
     */
    default void behindAnswers(Runnable task) {
        task.run();
    }

    /**
     * Subscribes to news, which tell an instance what the exchanges of other instances mean for it. News may get lost.
     * A store that cannot push need not implement this; instances then poll.
     *
     * @param instance the subscribing instance; its own exchanges are not reported to it
     * @param listener may be called on any thread; returns at once
     */
    default void subscribe(String instance, Consumer<News> listener) {}

    /** Ends the subscription of an instance. Not needed before {@link #close}. */
    default void unsubscribe(String instance) {}

    /**
     * What operators should change about the store, in one sentence without secrets; {@code null} if there is nothing
     * to change. The health check, the page and the diagnostics show it. Returns at once, on any thread.
     */
    default @Nullable String warning() {
        return null;
    }

    /** Closes all connections and threads of the store. */
    @Override
    void close();

    /**
     * What an exchange of one instance means for others.
     *
     * @param kind what happened
     * @param keys the counters, by {@link dev.sluice.CounterKey#text()}
     */
    record News(Kind kind, Set<String> keys) {

        public News {
            keys = Set.copyOf(keys);
        }

        /** The kinds of news. */
        public enum Kind {
            /**
             * Calls of another instance need permits, or charges went over the limit, and other instances hold all
             * remaining permits. They have to return them.
             */
            RECALLED,
            /**
             * A used-up limit has permits again, or an instance has returned or used its permits. Instances with
             * waiting calls ask again.
             */
            FREED,
            /** An operator has given calls: all instances that know the counter ask how many. */
            GIVEN
        }
    }
}
