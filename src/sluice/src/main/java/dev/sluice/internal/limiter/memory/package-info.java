/**
 * Which counters are in memory? {@link dev.sluice.internal.limiter.memory.Counters} finds a caller's counter, or
 * creates it, and evicts others when there are too many ({@link dev.sluice.internal.limiter.memory.EvictionOrder}).
 */
@NullMarked
package dev.sluice.internal.limiter.memory;

import org.jspecify.annotations.NullMarked;
