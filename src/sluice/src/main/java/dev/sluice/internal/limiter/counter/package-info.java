/**
 * How many more calls may one caller make in one tier? The common types of shared and local counters: the identity of
 * counters ({@link dev.sluice.internal.limiter.counter.CounterFamily}), what calls take from
 * ({@link dev.sluice.internal.limiter.counter.Pool}), how calls wait
 * ({@link dev.sluice.internal.limiter.counter.PendingCall}), and how counters are shared
 * ({@link dev.sluice.internal.limiter.counter.Sharing}).
 */
@NullMarked
package dev.sluice.internal.limiter.counter;

import org.jspecify.annotations.NullMarked;
