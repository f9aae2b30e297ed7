package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.Pool;
import dev.sluice.tier.Tier;

/**
 * What shared counters ask of the background that synchronises them with other instances. All methods return at once.
 */
public interface Background {

    /** How calls of a counter that is opened now are decided. */
    SharedSnapshot.Mode initialMode();

    /**
     * The slack that a new counter of this tier has before the store answered, if this much is left as far as known.
     */
    long initialSlack(Tier tier, long left);

    /** Requests a check of this pool soon: its permits run low, or something was returned to it. */
    void requestCheck(Pool pool);
}
