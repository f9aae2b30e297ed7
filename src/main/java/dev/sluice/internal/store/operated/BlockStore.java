package dev.sluice.internal.store.operated;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The blocked callers of all instances. An instance tells what began with it, and asks what has changed since; of two
 * blocks of one caller, the later one stays, so telling twice does no harm. Everything expires by itself once it is
 * forgotten. Requests never use this. Safe for any threads.
 */
public interface BlockStore extends AutoCloseable {

    /** The most blocks that an instance tells at once. */
    int MOST_AT_ONCE = 100;

    /** The version of an instance that knows nothing yet. */
    String NOTHING = "";

    /**
     * What has changed.
     *
     * @param version with which the instance asks next time
     * @param isLoss whether the store has lost what the instance knew: it tells all its blocks again
     * @param hasMore whether it is to ask again at once
     * @param blocks those that began or were ended since
     */
    record Changes(String version, boolean isLoss, boolean hasMore, List<Block> blocks) {

        public Changes {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * Tells blocks that began, and asks what has changed.
     *
     * @param version of the last answer, or {@link #NOTHING}
     * @param begun at most {@link #MOST_AT_ONCE}
     */
    CompletionStage<Changes> exchange(String version, List<Block> begun);

    /** Ends the block of a caller, for all instances; returns whether there was one under way. */
    CompletionStage<Boolean> unblock(CounterKey key);

    /** All blocks that are kept, also those that have ended. Changes nothing. */
    default CompletionStage<List<Block>> all() {
        return more(NOTHING, new ArrayList<>());
    }

    private CompletionStage<List<Block>> more(String version, List<Block> known) {
        return exchange(version, List.of()).thenCompose(now -> {
            known.addAll(now.blocks());
            return now.hasMore() && known.size() <= 2 * Block.MOST
                    ? more(now.version(), known)
                    : CompletableFuture.completedFuture(known);
        });
    }

    @Override
    default void close() {}
}
