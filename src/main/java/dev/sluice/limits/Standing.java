package dev.sluice.limits;

import dev.sluice.tier.Tier;

/**
 * Where a caller stands in one limit at one moment.
 *
 * @param endpoint the endpoint's id
 * @param method the method that is counted apart, {@code *} where all count together
 * @param tier the limit, of this caller
 * @param remaining how many further calls it would admit now
 * @param resetAfterMillis the time until its window ends, or until all of the limit is there again
 */
public record Standing(String endpoint, String method, Tier tier, long remaining, long resetAfterMillis) {}
