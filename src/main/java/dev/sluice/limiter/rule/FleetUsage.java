package dev.sluice.limiter.rule;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the use that the whole fleet has made of one limit, as of the store's last answer, and what follows
 * for later, if nobody calls. What instances hold counts as used. Immutable.
 */
public interface FleetUsage {

    /** What nobody has used or holds, with what passes only beyond the threshold; below zero if too much has passed. */
    long left(long nowMillis);

    /** The time until so much is left. */
    long millisUntil(long cost, long nowMillis);

    /** The time until all of the limit is left, or its window ends. */
    long resetMillis(long nowMillis);

    /** Until when these figures tell what is left, where nothing is held and nothing comes back but with time. */
    default long knownUntilMillis(long nowMillis) {
        return Long.MAX_VALUE;
    }

    /**
     * What is known when so much more has been used here and the store was not told; {@code null} where nothing of it
     * comes back with time, so that the sum is enough.
     */
    default @Nullable FleetUsage after(long used, long nowMillis) {
        return null;
    }
}
