package dev.sluice.internal.store.admin;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.limits.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store of the callers that instances have blocked. Each instance sends its own new blocks and requests the blocks
 * set by other instances. If there are two blocks of the same caller, the newer block wins, so it is harmless to send a
 * block twice. Blocks expire. If there are more than {@link Block#MOST} blocks, the store drops the blocks that end
 * first. It drops blocks of callers with {@linkplain #isMadeUp arbitrary names} if these exceed half of the maximum.
 * Otherwise, it drops blocks of verified callers. Requests never wait for this store. Thread-safe.
 */
public interface BlockStore extends AutoCloseable {

    /** The maximum number of blocks that an instance sends in one exchange. */
    int MOST_AT_ONCE = 100;

    /** The version that an instance passes in its first exchange with the store. */
    String NOTHING = "";

    /**
     * The blocks that have changed since a given version.
     *
     * @param version the version to pass in the next exchange
     * @param isLoss whether the store has lost blocks that it had exchanged with the instance. If so, the instance must
     *     send all its blocks again
     * @param hasMore whether there are more changes. If so, the instance should request them immediately
     * @param blocks the blocks that have begun or ended since the version that the instance passed
     */
    record Changes(String version, boolean isLoss, boolean hasMore, List<Block> blocks) {

        public Changes {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * Sends new blocks, and requests changes.
     *
     * @param version the version in the last reply, or {@link #NOTHING}
     * @param begun the new blocks; at most {@link #MOST_AT_ONCE}
     */
    CompletionStage<Changes> exchange(String version, List<Block> begun);

    /**
     * Whether a caller can change its name at will. Blocks of such callers can exceed half of the maximum only if
     * blocks of verified callers do not need the space.
     */
    static boolean isMadeUp(CounterKey caller) {
        return Origin.of(caller) != Origin.VERIFIED;
    }

    /** Ends the block of a caller on all instances. Returns whether the caller was blocked. */
    CompletionStage<Boolean> unblock(CounterKey key);

    /** All stored blocks, including those that have ended. Does not change any block. */
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
