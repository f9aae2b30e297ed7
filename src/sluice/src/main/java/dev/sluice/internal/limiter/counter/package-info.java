/**
 * How many more calls may one caller make in one tier? This package has the common types of shared and local counters:
 * the identity of counters ({@link dev.sluice.internal.limiter.counter.CounterFamily}), the pool from which calls take
 * permits ({@link dev.sluice.internal.limiter.counter.Pool}), how calls wait ({@link
 * dev.sluice.internal.limiter.counter.PendingCall}), and how counters are shared ({@link
 * dev.sluice.internal.limiter.counter.Sharing}).
 *
 * <p><b>The order of locks.</b> A thread that holds a lock takes only those that stand below it, and one of each kind:
 *
 * <ol>
 *   <li>the lock of the permits that a call in flight took ({@code Taken}), held while it charges and refunds;
 *   <li>the lock of a {@link dev.sluice.internal.limiter.counter.PendingCall}, held while its state changes and while
 *       it makes an attempt;
 *   <li>the lock of a {@link dev.sluice.internal.limiter.counter.CallLine}, held while positions are added, removed and
 *       read;
 *   <li>the lock of the map of counters for one key ({@code Counters}), held while a counter is opened or replaced. It
 *       waits there for calls that have borrowed from the old counter; these take no lock of the kinds above, nor this
 *       one, before they have kept or released;
 *   <li>locks for arithmetic and lists within one counter ({@code LocalLog}, {@code QueueSchedule}, {@code UseTimes},
 *       {@code CounterHistory}, {@link dev.sluice.internal.limiter.counter.RefundableUse}), and that of {@code
 *       EvictionOrder}.
 * </ol>
 *
 * <p>A thread holds none of them while it serves a line, completes a future that a caller waits for, hands work to an
 * executor or logs. Code of the application may run under them only if it must return at once: the clock under any
 * lock, and the load signal and the report of an eviction under the lock of the call that makes an attempt. An attempt
 * has to be alone with its call, since only its result says whether the call still waits. Other locks of the limiter
 * ({@code Blocks}, {@code RefusalTimes}, {@code Logins}, {@code StoreState}, {@code WeakValues}) are taken without any of these.
 *
 * <p><b>Questions about permits</b>, which must not be swapped:
 *
 * <ul>
 *   <li>Are there too few permits in hand now? {@link dev.sluice.internal.limiter.counter.Pool#surelyShortOf}
 *   <li>Does waiting make sense, and for what does a call wait? Only {@link
 *       dev.sluice.internal.limiter.counter.Shortage#prospect}, which asks the pool whether the store may grant permits
 *       ({@link dev.sluice.internal.limiter.counter.Pool#mayBeGranted}) and whether calls in flight may return some
 *       ({@link dev.sluice.internal.limiter.counter.Pool#mayBeReturned}).
 *   <li>How many remaining calls do headers show? {@link dev.sluice.internal.limiter.counter.Pool#left}
 * </ul>
 */
@NullMarked
package dev.sluice.internal.limiter.counter;

import org.jspecify.annotations.NullMarked;
