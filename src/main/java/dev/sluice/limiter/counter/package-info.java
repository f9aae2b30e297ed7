/**
 * How many calls may one caller still make in one tier? What every counter is, whether it is shared or not: which calls
 * it counts ({@link dev.sluice.limiter.counter.CounterFamily}), what calls take from ({@link
 * dev.sluice.limiter.counter.Pool}), and what is asked of whoever joins counters with those of other instances ({@link
 * dev.sluice.limiter.counter.Sharing}). All folders of {@code limiter} call it; it may call {@code algorithm} only.
 */
@NullMarked
package dev.sluice.limiter.counter;

import org.jspecify.annotations.NullMarked;
