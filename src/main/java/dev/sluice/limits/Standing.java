package dev.sluice.limits;

import dev.sluice.tier.Tier;

/**
 * A caller's state in one limit at one moment.
 *
 * @param endpoint the endpoint's id
 * @param method the method, if each is counted separately; {@code *} if all count together
 * @param tier the tier that applies to this caller
 * @param remaining how many further calls it would admit now
 * @param resetAfterMillis the time until its window ends, or until its whole limit is available again
 */
public record Standing(String endpoint, String method, Tier tier, long remaining, long resetAfterMillis) {}
