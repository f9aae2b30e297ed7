/**
 * How are the counters of this process synchronised with those of other instances? Calls use {@link
 * dev.sluice.internal.limiter.sync.Synchroniser}. In the background, {@link
 * dev.sluice.internal.limiter.sync.ExchangeLoop} decides when to exchange, and {@code ledger} decides what to exchange.
 * {@link dev.sluice.internal.limiter.sync.BatchSender} ensures that each batch counts only once.
 */
@NullMarked
package dev.sluice.internal.limiter.sync;

import org.jspecify.annotations.NullMarked;
