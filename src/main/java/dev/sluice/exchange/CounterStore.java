package dev.sluice.exchange;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Where instances count together. All counting is done by {@link #exchange}, which is called in the background only, and
 * by many threads; {@link #subscribe} makes instances hear of each other sooner.
 *
 * <p>A store promises: a batch is applied exactly once, also if it is sent again because its reply was lost; a batch
 * older than the last one of its instance is not applied at all; each claim is applied atomically; a counter vanishes
 * by itself some seconds after its window; what an instance holds is free again when its lease has ended.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Applies a batch. Returns at once; the stage completes with the reply, or exceptionally with a {@link
     * StoreException}. If that is temporary, the store could not be asked or did not answer in time, and the batch may
     * or may not have been applied: send it again as it is.
     */
    CompletionStage<Batch.Reply> exchange(Batch batch);

    /**
     * Has the listener told, on any thread, what exchanges of other instances mean for this one. The listener returns
     * at once. News may get lost; a store that cannot push never has any, and instances then ask again after a while.
     *
     * @param instance the listener's; it is not told of its own exchanges
     */
    default void subscribe(String instance, Consumer<News> listener) {}

    /** The instance is gone, and its listener is told no more. A store that is closed with it need not be told. */
    default void unsubscribe(String instance) {}

    /** Ends all connections and threads of the store. */
    @Override
    void close();

    /**
     * What an exchange of one instance means for the others.
     *
     * @param kind what it means
     * @param keys the counters, each as {@link dev.sluice.CounterKey#text()}
     */
    record News(Kind kind, Set<String> keys) {

        public News {
            keys = Set.copyOf(keys);
        }

        /** What news mean. */
        public enum Kind {
            /**
             * Calls of another instance need permits, or were charged beyond the limit afterwards, and all permits that
             * are left are held by others: who holds some returns them.
             */
            RECALLED,
            /**
             * Of a limit of which nothing was left, some is left now, or what an instance held has been returned or
             * used: whose calls wait asks again.
             */
            FREED,
            /**
             * Calls of another instance need permits of a window, all of it is used, and nobody holds any: whoever asks
             * will be told the same.
             */
            USED_UP
        }
    }
}
