package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A block: one tier refuses a caller until a certain time, regardless of the remaining limit, because the caller kept
 * calling after many refusals. {@link dev.sluice.tier.BlockRule} says when a block begins. Immutable and thread-safe.
 *
 * @param key the blocked caller, endpoint and tier; without a window
 * @param sinceMillis when it began, in milliseconds since 1970 by the store's clock
 * @param untilMillis when it ends, by the same clock
 * @param number 1 for a caller's first block, 2 for the next one if it follows within {@link #CALM}, and so on; 0 if an
 *     operator ended it, so that the next one is the first again
 * @param cause why it began; {@code null} if unknown
 */
public record Block(
        CounterKey key,
        long sinceMillis,
        long untilMillis,
        int number,
        @Nullable Cause cause) {

    /** After this time without a block, the next block counts as the first again. */
    public static final Duration CALM = Duration.ofHours(24);

    /**
     * The maximum number of blocks that an instance or a store keeps. If there are more, it drops the blocks that end
     * first. As long as made-up callers have more than half of all blocks, theirs are dropped; otherwise, those of
     * verified callers.
     */
    public static final int MOST = 10_000;

    /**
     * Why a block began.
     *
     * @param refusals how many calls of the caller the tier refused
     * @param withinMillis the time within which it refused them
     * @param threshold the tier's threshold for this caller
     * @param periodMillis the tier's period; a month counts as 31 days
     */
    public record Cause(int refusals, long withinMillis, long threshold, long periodMillis) {}

    /** A block whose cause is unknown. */
    public Block(CounterKey key, long sinceMillis, long untilMillis, int number) {
        this(key, sinceMillis, untilMillis, number, null);
    }

    public boolean isInForce(long nowMillis) {
        return nowMillis < untilMillis;
    }

    /** Whether the block ended so long ago that it does not lengthen the next one. */
    public boolean isForgotten(long nowMillis) {
        return nowMillis - untilMillis >= CALM.toMillis();
    }

    /** This block after an operator ended it at that time. */
    public Block endedAt(long nowMillis) {
        return new Block(key, Math.max(nowMillis, sinceMillis + 1), nowMillis, 0);
    }

    /** A copy with another end; it {@linkplain #replaces replaces} this one. */
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
