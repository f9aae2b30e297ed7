/**
 * How are the counters of this process synchronised with those of other instances? Calls use {@link
 * dev.sluice.internal.limiter.sync.Synchroniser}. In the background, {@link
 * dev.sluice.internal.limiter.sync.ExchangeLoop} determines when to exchange data with the store, and {@code ledger}
 * determines which data to exchange. {@link dev.sluice.internal.limiter.sync.BatchSender} ensures that each batch is
 * counted only once.
 */
@NullMarked
package dev.sluice.internal.limiter.sync;

import org.jspecify.annotations.NullMarked;
