package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A period during which a tier refuses all calls of one caller, even if permits remain. A tier blocks a caller that
 * keeps calling after many refusals. {@link dev.sluice.tier.BlockRule} defines when blocks begin. Immutable and
 * thread-safe.
 *
 * @param key the key that identifies the blocked caller, the endpoint and the tier. The key does not include a window
 * @param sinceMillis the time when the block began, in milliseconds since 1970 by the store's clock
 * @param untilMillis the time when the block ends, by the same clock
 * @param number 1 for a caller's first block, 2 for the next block if it follows within {@link #CALM}, and so on. The
 *     number is 0 if an operator ended the block. The caller's next block then has number 1
 * @param cause why the block began; {@code null} if unknown
 */
public record Block(
        CounterKey key,
        long sinceMillis,
        long untilMillis,
        int number,
        @Nullable Cause cause) {

    /** The time without a block after which the caller's next block has number 1 again. */
    public static final Duration CALM = Duration.ofHours(24);

    /**
     * The maximum number of blocks that an instance or a store remembers. Beyond this number, the blocks that end first
     * are dropped. If more than half of the blocks belong to callers with arbitrary names, only those blocks are
     * dropped. Otherwise, only blocks of verified callers are dropped.
     */
    public static final int MOST = 10_000;

    /**
     * The reason why a block began.
     *
     * @param refusals the number of the caller's calls that the tier refused
     * @param withinMillis the time span in which the tier refused these calls
     * @param threshold the tier's threshold for this caller
     * @param periodMillis the tier's period; 31 days for a month
     */
    public record Cause(int refusals, long withinMillis, long threshold, long periodMillis) {}

    /** Creates a block whose cause is unknown. */
    public Block(CounterKey key, long sinceMillis, long untilMillis, int number) {
        this(key, sinceMillis, untilMillis, number, null);
    }

    public boolean isInForce(long nowMillis) {
        return nowMillis < untilMillis;
    }

    /** Whether the block ended so long ago that it does not make the caller's next block longer. */
    public boolean isForgotten(long nowMillis) {
        return nowMillis - untilMillis >= CALM.toMillis();
    }

    /** A copy of this block, marked as ended by an operator at the given time. */
    public Block endedAt(long nowMillis) {
        return new Block(key, Math.max(nowMillis, sinceMillis + 1), nowMillis, 0);
    }

    /** A copy of this block that ends at the given time. The copy {@linkplain #replaces replaces} this block. */
    public Block endingAt(long otherMillis) {
        return new Block(key, sinceMillis + 1, otherMillis, number, cause);
    }

    /**
     * Whether this block is newer than the given block of the same caller. A block is newer if it began later, or if it
     * began at the same time but ends later.
     */
    public boolean replaces(Block other) {
        return sinceMillis > other.sinceMillis || (sinceMillis == other.sinceMillis && untilMillis > other.untilMillis);
    }
}
