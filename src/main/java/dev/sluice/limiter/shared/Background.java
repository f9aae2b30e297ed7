package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.Pool;
import dev.sluice.tier.Tier;

/**
 * What shared counters ask of the background that joins them with those of other instances. All of it answers at once.
 */
public interface Background {

    /** Who decides on calls of a counter that is opened now. */
    SharedSnapshot.Phase phaseAtFirst();

    /**
     * The permits that a new counter of this tier is lent before the store has been asked, where so much is left as far
     * as is known.
     */
    long lentAtFirst(Tier tier, long left);

    /** Looks at this pool soon: its permits run low, or something came back to it. */
    void attend(Pool pool);
}
