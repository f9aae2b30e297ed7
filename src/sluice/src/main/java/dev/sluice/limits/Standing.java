package dev.sluice.limits;

import dev.sluice.tier.Tier;

/**
 * How much of a limit a caller could still use at a given moment. Immutable and thread-safe.
 *
 * @param endpoint the endpoint id
 * @param method the method, if each method has its own counters; otherwise {@code *}
 * @param tier the tier as it applies to this caller
 * @param remaining the number of further calls that the limit would admit now
 * @param resetAfterMillis the time until the window ends, or until the whole limit is available again
 */
public record Standing(String endpoint, String method, Tier tier, long remaining, long resetAfterMillis) {}
