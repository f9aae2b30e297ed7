package dev.sluice;

import java.util.concurrent.CompletionStage;

/**
 * Where instances count together. It has one operation, called in the background only, and by many threads.
 *
 * <p>A store promises: a batch is applied exactly once, also if it is sent again because its reply was lost; a batch older
 * than the last one of its instance is not applied at all; each claim is applied atomically; a counter vanishes by itself
 * some seconds after its window.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Applies a batch. Returns at once; the stage completes with the reply, or exceptionally with a {@link StoreException}.
     * If that is temporary, the store could not be asked or did not answer in time, and the batch may or may not have been
     * applied: send it again as it is.
     */
    CompletionStage<Batch.Reply> exchange(Batch batch);

    /** Lets go of connections and threads. */
    @Override
    void close();
}
