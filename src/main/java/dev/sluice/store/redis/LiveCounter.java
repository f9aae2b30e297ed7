package dev.sluice.store.redis;

import dev.sluice.Batch.Rule;
import dev.sluice.CounterKey;

/**
 * A counter to look at.
 *
 * @param rule how the store counts it
 */
public record LiveCounter(CounterKey key, Rule rule) {}
