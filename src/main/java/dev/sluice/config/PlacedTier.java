package dev.sluice.config;

import dev.sluice.Tier;

/** A tier and the place where the file defines it. */
record PlacedTier(Tier tier, Place place) {

    /** For people: {@code 1000 in 10s}. */
    String allowance() {
        return tier.limit().threshold() + " in "
                + Durations.shortest(tier.limit().period());
    }
}
