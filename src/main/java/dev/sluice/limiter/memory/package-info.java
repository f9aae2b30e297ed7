/**
 * Which counters are in memory? {@link dev.sluice.limiter.memory.Counters} finds the one of a caller, or has it opened,
 * and drops others when there are too many ({@link dev.sluice.limiter.memory.EvictionOrder}). Called by {@code
 * limiter}; it may call {@code counter} only.
 */
@NullMarked
package dev.sluice.limiter.memory;

import org.jspecify.annotations.NullMarked;
