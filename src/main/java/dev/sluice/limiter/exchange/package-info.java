/**
 * How are counters of this process joined with those of other instances? Calls ask
 * {@link dev.sluice.limiter.exchange.Synchroniser}. In the background {@link dev.sluice.limiter.exchange.ExchangeLoop}
 * decides when to exchange, the {@code ledger} what, and {@link dev.sluice.limiter.exchange.BatchSender} sees to it that each batch counts once. The only folder that talks to a
 * {@link dev.sluice.exchange.CounterStore}. Called by {@code limiter} itself; it may call {@code ledger}, {@code account},
 * {@code shared}, {@code rule}, {@code local} and {@code counter}.
 */
@NullMarked
package dev.sluice.limiter.exchange;

import org.jspecify.annotations.NullMarked;
