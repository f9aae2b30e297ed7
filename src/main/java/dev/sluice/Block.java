package dev.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A caller whom one tier refuses until a moment, whatever is left of its limit, since the caller went on after many
 * refusals.
 *
 * @param key whose calls to what, without a window
 * @param sinceMillis when it began, in milliseconds since 1970 by the store's clock
 * @param untilMillis when it ends, likewise
 * @param number 1 for the first block, more for those that follow within {@link #CALM}; 0 if an operator ended it, so that
 *     the next one is the first again
 * @param cause why it began; {@code null} if the store does not know
 */
public record Block(
        CounterKey key,
        long sinceMillis,
        long untilMillis,
        int number,
        @Nullable Cause cause) {

    /** The time without a block after which the next one is the first again. */
    public static final Duration CALM = Duration.ofHours(24);

    /** The most blocks that an instance or a store keeps; of more, those that end first, or have ended, are forgotten. */
    public static final int MOST = 10_000;

    /**
     * Why a block began.
     *
     * @param refusals how many calls of the caller the tier refused
     * @param withinMillis in which time
     * @param threshold of the tier, for this caller
     * @param periodMillis of the tier; a month has 31 days here
     */
    public record Cause(int refusals, long withinMillis, long threshold, long periodMillis) {}

    /** A block whose cause is not known. */
    public Block(CounterKey key, long sinceMillis, long untilMillis, int number) {
        this(key, sinceMillis, untilMillis, number, null);
    }

    public boolean isUnderWay(long nowMillis) {
        return nowMillis < untilMillis;
    }

    /** Whether it matters no more to the next block. */
    public boolean isForgotten(long nowMillis) {
        return nowMillis - untilMillis >= CALM.toMillis();
    }

    /** This block, ended at that moment by an operator. */
    public Block endedAt(long nowMillis) {
        return new Block(key, Math.max(nowMillis, sinceMillis + 1), nowMillis, 0);
    }

    /** This block with another end, which replaces it. */
    public Block endingAt(long otherMillis) {
        return new Block(key, sinceMillis + 1, otherMillis, number, cause);
    }

    /** Whether this is known to replace the other one of the same caller: it began later. */
    public boolean replaces(Block other) {
        return sinceMillis > other.sinceMillis || (sinceMillis == other.sinceMillis && untilMillis > other.untilMillis);
    }
}
