package dev.sluice.limits;

import dev.sluice.tier.Tier;

/**
 * A caller's state in one limit at one moment. Immutable and thread-safe.
 *
 * @param endpoint the endpoint's id
 * @param method the method, if each method has counters of its own; otherwise {@code *}
 * @param tier the tier as it applies to this caller
 * @param remaining how many more calls it would admit now
 * @param resetAfterMillis the time until its window ends, or until its whole limit is available again
 */
public record Standing(String endpoint, String method, Tier tier, long remaining, long resetAfterMillis) {}
