package dev.sluice.exchange;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The counters that instances share. {@link #exchange} does all counting; it is called in the background only, by many
 * threads. {@link #subscribe} lets instances learn of each other's exchanges sooner.
 *
 * <p>A store guarantees: a batch is never applied twice, however late it is sent again because its reply was lost; a batch
 * older than the last one of its instance is never applied; each statement is applied atomically; a counter is deleted some
 * seconds after its window; what an instance holds is free again when its lease has ended.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Applies a batch. Returns at once; the stage completes with the reply, or exceptionally with a
     * {@link StoreException}. If that is temporary, the store could not be reached or did not answer in time, and the
     * batch may or may not have been applied: send the same batch again. If the store cannot tell any more, it is
     * {@linkplain StoreException#isForgotten() forgotten}.
     */
    CompletionStage<Batch.Reply> exchange(Batch batch);

    /**
     * Runs a task soon, once all answers that have arrived by now are delivered: on the thread that reads them from the
     * network, after it has read. If that thread stands still, an answer may be there and unread, and the store is not
     * taken to be silent. A store whose answers do not depend on one thread need not do anything.
     */
    default void behindAnswers(Runnable task) {
        task.run();
    }

    /**
     * Subscribes to what exchanges of other instances mean for this one. The listener is called on any thread and
     * returns at once. News may get lost. A store that cannot push never sends any; instances then ask again after a
     * while.
     *
     * @param instance the listener's instance, whose own exchanges are not reported to it
     */
    default void subscribe(String instance, Consumer<News> listener) {}

    /** Ends the instance's subscription. Not needed before {@link #close}. */
    default void unsubscribe(String instance) {}

    /**
     * What operators should change about the store, in one sentence without secrets; {@code null} if nothing is known. It
     * is shown at health, on the page and in the diagnostics. Returns at once, on any thread.
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
     * @param kind what it means
     * @param keys the counters, by {@link dev.sluice.CounterKey#text()}
     */
    record News(Kind kind, Set<String> keys) {

        public News {
            keys = Set.copyOf(keys);
        }

        /** The kinds of news. */
        public enum Kind {
            /**
             * Calls of another instance need permits, or were charged over the limit afterwards, and other instances
             * hold all that is left: holders return their permits.
             */
            RECALLED,
            /**
             * A used-up limit has something left again, or an instance returned or used what it held: instances with
             * waiting calls ask again.
             */
            FREED,
            /** All of a window is used and nobody holds any permit: any instance that asks gets the same answer. */
            USED_UP
        }
    }
}
