/**
 * Which counters are in memory? {@link dev.sluice.internal.limiter.memory.Counters} finds or creates a caller's
 * counter. It evicts other counters when there are too many ({@link dev.sluice.internal.limiter.memory.EvictionOrder}).
 */
@NullMarked
package dev.sluice.internal.limiter.memory;

import org.jspecify.annotations.NullMarked;
