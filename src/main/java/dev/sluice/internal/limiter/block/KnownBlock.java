package dev.sluice.internal.limiter.block;

import dev.sluice.Block;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A block as one instance knows it.
 *
 * @param isDryRun whether it only reports, since its endpoint is on a dry run: then no other instance learns of it
 * @param endNanos when it ends, by the time that elapses here whatever happens to clocks
 */
public record KnownBlock(Block block, boolean isDryRun, long endNanos) {

    /** Clocks drift by less. */
    private static final long STEP_MILLIS = 1_000;

    /** A block that began, or was learnt of, at this moment. */
    static KnownBlock since(Block block, boolean isDryRun, long nowMillis, long elapsedNanos) {
        return new KnownBlock(
                block, isDryRun, elapsedNanos + TimeUnit.MILLISECONDS.toNanos(block.untilMillis() - nowMillis));
    }

    /**
     * This block with an end by a clock that was set back meanwhile, so that it lasts no longer than it was to; {@code
     * null} if its end is right.
     */
    @Nullable KnownBlock afterStepBack(long nowMillis, long elapsedNanos) {
        long leftMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - elapsedNanos));
        return block.isUnderWay(nowMillis) && block.untilMillis() - nowMillis > leftMillis + STEP_MILLIS
                ? new KnownBlock(block.endingAt(nowMillis + leftMillis), isDryRun, endNanos)
                : null;
    }
}
