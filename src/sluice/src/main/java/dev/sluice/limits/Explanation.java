package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * Where a call would be counted, and why. There is one explanation for each tier of each endpoint that applies.
 * Immutable and thread-safe.
 *
 * @param endpoint an endpoint that applies to the call
 * @param tier one of its tiers
 * @param key the counter that would count the call now
 * @param client the client of the file that matches the caller; {@code null} if none does
 * @param plan the name of the caller's plan; empty if it has none
 */
public record Explanation(
        Endpoint endpoint,
        Tier tier,
        CounterKey key,
        @Nullable Client client,
        String plan) {}
