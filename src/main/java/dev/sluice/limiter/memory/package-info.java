/**
 * Which counters are in memory? {@link dev.sluice.limiter.memory.Counters} finds a caller's counter, or creates it, and
 * evicts others when there are too many ({@link dev.sluice.limiter.memory.EvictionOrder}). Called by {@code limiter};
 * it may call {@code counter} only.
 */
@NullMarked
package dev.sluice.limiter.memory;

import org.jspecify.annotations.NullMarked;
