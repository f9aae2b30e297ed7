package dev.sluice.limits;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * Explains which counter would count a call, and why. Each tier of each endpoint that applies to the call has its own
 * explanation. Immutable and thread-safe.
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
