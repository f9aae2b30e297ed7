package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * An explanation of where a call would be counted, and why. There is one explanation for each tier of each endpoint
 * that applies. Immutable and thread-safe.
 *
 * @param endpoint an endpoint that applies to the call
 * @param tier one of the endpoint's tiers
 * @param key the counter that would count the call now
 * @param client the client in the file that matches the caller; {@code null} if none matches
 * @param plan the name of the caller's plan; empty if the caller has none
 */
public record Explanation(
        Endpoint endpoint,
        Tier tier,
        CounterKey key,
        @Nullable Client client,
        String plan) {}
