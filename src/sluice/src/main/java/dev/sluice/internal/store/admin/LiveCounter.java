package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;

/**
 * A counter to read.
 *
 * @param rule how the store counts it
 */
public record LiveCounter(CounterKey key, Rule rule) {}
