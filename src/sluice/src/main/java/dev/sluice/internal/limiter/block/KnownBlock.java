package dev.sluice.internal.limiter.block;

import dev.sluice.Block;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A block as known to one instance. Immutable.
 *
 * @param isDryRun whether the block is only reported, because its endpoint is in dry run; other instances are not
 *     informed about such a block
 * @param endNanos the end of the block in elapsed time, which is not affected when clocks are set
 */
public record KnownBlock(Block block, boolean isDryRun, long endNanos) {

    /** The smallest difference that is treated as a clock step. Smaller differences are attributed to clock drift. */
    private static final long STEP_MILLIS = 1_000;

    /** Creates a block that begins or becomes known at the given time. */
    static KnownBlock since(Block block, boolean isDryRun, long nowMillis, long elapsedNanos) {
        return new KnownBlock(
                block, isDryRun, elapsedNanos + TimeUnit.MILLISECONDS.toNanos(block.untilMillis() - nowMillis));
    }

    /**
     * Returns this block with a corrected end if the clock was set back, so that the block lasts no longer than
     * intended. Returns {@code null} if the end is already correct.
     */
    @Nullable KnownBlock afterStepBack(long nowMillis, long elapsedNanos) {
        long leftMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - elapsedNanos));
        return block.isInForce(nowMillis) && block.untilMillis() - nowMillis > leftMillis + STEP_MILLIS
                ? new KnownBlock(block.endingAt(nowMillis + leftMillis), isDryRun, endNanos)
                : null;
    }
}
