package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A block. A tier refuses all calls of a caller until a certain time, even if permits remain, because the caller kept
 * calling after many refusals. {@link dev.sluice.tier.BlockRule} defines when a block begins. Immutable and
 * thread-safe.
 *
 * @param key identifies the blocked caller, the endpoint and the tier; has no window
 * @param sinceMillis the time when the block began, in milliseconds since 1970 by the store's clock
 * @param untilMillis the time when the block ends, by the same clock
 * @param number 1 for a caller's first block, 2 for the next one if it follows within {@link #CALM}, and so on; 0 if an
 *     operator ended the block, so that the caller's next block has number 1
 * @param cause why the block began; {@code null} if unknown
 */
public record Block(
        CounterKey key,
        long sinceMillis,
        long untilMillis,
        int number,
        @Nullable Cause cause) {

    /** After this time without a block, the caller's next block has number 1 again. */
    public static final Duration CALM = Duration.ofHours(24);

    /**
     * The maximum number of blocks that an instance or a store remembers. If there are more, the blocks that end first
     * are dropped. While more than half of all blocks belong to callers that can be made up, these blocks are dropped.
     * Otherwise, blocks of verified callers are dropped.
     */
    public static final int MOST = 10_000;

    /**
     * The reason why a block began.
     *
     * @param refusals the number of the caller's calls that the tier refused
     * @param withinMillis the time span in which the tier refused them
     * @param threshold the tier's threshold for this caller
     * @param periodMillis the tier's period; 31 days for a month
     */
    public record Cause(int refusals, long withinMillis, long threshold, long periodMillis) {}

    /** A block whose cause is unknown. */
    public Block(CounterKey key, long sinceMillis, long untilMillis, int number) {
        this(key, sinceMillis, untilMillis, number, null);
    }

    public boolean isInForce(long nowMillis) {
        return nowMillis < untilMillis;
    }

    /** Whether the block ended so long ago that the next block is not longer because of it. */
    public boolean isForgotten(long nowMillis) {
        return nowMillis - untilMillis >= CALM.toMillis();
    }

    /** A copy of this block as an operator ended it at this time. */
    public Block endedAt(long nowMillis) {
        return new Block(key, Math.max(nowMillis, sinceMillis + 1), nowMillis, 0);
    }

    /** A copy that ends at this time. The copy {@linkplain #replaces replaces} this block. */
    public Block endingAt(long otherMillis) {
        return new Block(key, sinceMillis + 1, otherMillis, number, cause);
    }

    /**
     * Whether this is newer than another block of the same caller, because it began later, or began at the same time
     * but ends later.
     */
    public boolean replaces(Block other) {
        return sinceMillis > other.sinceMillis || (sinceMillis == other.sinceMillis && untilMillis > other.untilMillis);
    }
}
