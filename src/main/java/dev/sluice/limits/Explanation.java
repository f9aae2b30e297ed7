package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * Why a call is counted where it is: one for each tier of each endpoint that speaks of it.
 *
 * @param endpoint speaks of the call
 * @param tier one of its tiers
 * @param key the counter that the call would be counted in now
 * @param client the client of the file that the caller is, {@code null} if the caller is not listed
 */
public record Explanation(
        Endpoint endpoint,
        Tier tier,
        CounterKey key,
        @Nullable Client client) {}
