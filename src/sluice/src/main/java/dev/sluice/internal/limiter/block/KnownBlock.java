package dev.sluice.internal.limiter.block;

import dev.sluice.Block;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A block as one instance knows it. Immutable.
 *
 * @param isDryRun whether it only reports, because its endpoint is in dry run; other instances do not learn of it
 * @param endNanos when it ends, in elapsed time, which does not change when clocks are set
 */
public record KnownBlock(Block block, boolean isDryRun, long endNanos) {

    /** Smaller differences come from clock drift. */
    private static final long STEP_MILLIS = 1_000;

    /** A block that begins, or becomes known, at this moment. */
    static KnownBlock since(Block block, boolean isDryRun, long nowMillis, long elapsedNanos) {
        return new KnownBlock(
                block, isDryRun, elapsedNanos + TimeUnit.MILLISECONDS.toNanos(block.untilMillis() - nowMillis));
    }

    /**
     * This block with its end moved if the clock was set back, so that it lasts no longer than it was meant to;
     * {@code null} if its end is right.
     */
    @Nullable KnownBlock afterStepBack(long nowMillis, long elapsedNanos) {
        long leftMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - elapsedNanos));
        return block.isInForce(nowMillis) && block.untilMillis() - nowMillis > leftMillis + STEP_MILLIS
                ? new KnownBlock(block.endingAt(nowMillis + leftMillis), isDryRun, endNanos)
                : null;
    }
}
