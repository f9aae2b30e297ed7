/**
 * How many more calls may one caller make under one tier? This package contains the types that shared and local
 * counters have in common. A {@link dev.sluice.internal.limiter.counter.CounterFamily} identifies counters. Calls take
 * permits from a {@link dev.sluice.internal.limiter.counter.Pool}. A waiting call is a {@link
 * dev.sluice.internal.limiter.counter.PendingCall}. {@link dev.sluice.internal.limiter.counter.Sharing} defines how
 * counters are shared.
 *
 * <p><b>The order of locks.</b> A thread that holds a lock acquires only locks further down in this list, and at most
 * one of each kind:
 *
 * <ol>
 *   <li>the lock of the permits that a call in flight took ({@code Taken}), held while the call is charged or refunded;
 *   <li>the lock of a {@link dev.sluice.internal.limiter.counter.PendingCall}, held while its state changes and while
 *       it makes an attempt;
 *   <li>the lock of a {@link dev.sluice.internal.limiter.counter.CallLine}, held while positions are added, removed and
 *       read;
 *   <li>the lock of one key in the map of counters ({@code Counters}), held while a counter is opened or replaced. The
 *       thread waits there for calls that have borrowed from the old counter. Until those calls have kept or released
 *       their permits, they acquire neither this lock nor any lock further up in this list;
 *   <li>locks for arithmetic and lists within one counter ({@code LocalLog}, {@code QueueSchedule}, {@code UseTimes},
 *       {@code CounterHistory}, {@link dev.sluice.internal.limiter.counter.RefundableUse}), and the lock of {@code
 *       EvictionOrder}.
 * </ol>
 *
 * <p>A thread holds none of these locks while it serves a line, completes a future that a caller is waiting for,
 * submits work to an executor, or logs. Application code may run under these locks only if its contract requires it to
 * return immediately. The clock may run under any lock. The load signal and the report of an eviction may run under the
 * lock of the call that makes an attempt. Attempts for the same call must not overlap, because only the result of an
 * attempt shows whether the call is still waiting. Other locks of the limiter ({@code Blocks}, {@code RefusalTimes},
 * {@code Logins}, {@code StoreState}, {@code WeakValues}) are acquired only while none of the listed locks are held.
 *
 * <p><b>Questions about permits</b> that must not be confused:
 *
 * <ul>
 *   <li>Are there too few permits in hand now? {@link dev.sluice.internal.limiter.counter.Pool#surelyShortOf}
 *   <li>Does waiting make sense, and what would a call wait for? Only {@link
 *       dev.sluice.internal.limiter.counter.Shortage#prospect} determines this. It asks the pool whether the store
 *       might grant permits ({@link dev.sluice.internal.limiter.counter.Pool#mayBeGranted}) and whether calls in flight
 *       might return some ({@link dev.sluice.internal.limiter.counter.Pool#mayBeReturned}).
 *   <li>How many remaining calls do headers show? {@link dev.sluice.internal.limiter.counter.Pool#left}
 * </ul>
 */
@NullMarked
package dev.sluice.internal.limiter.counter;

import org.jspecify.annotations.NullMarked;
