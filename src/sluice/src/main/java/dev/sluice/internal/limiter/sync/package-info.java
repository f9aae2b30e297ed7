/**
 * How are the counters of this process synchronised with those of other instances? Calls use
 * {@link dev.sluice.internal.limiter.sync.Synchroniser}. In the background,
 * {@link dev.sluice.internal.limiter.sync.ExchangeLoop} decides when to exchange, {@code ledger} decides what, and
 * {@link dev.sluice.internal.limiter.sync.BatchSender} makes sure that each batch counts once.
 */
@NullMarked
package dev.sluice.internal.limiter.sync;

import org.jspecify.annotations.NullMarked;
