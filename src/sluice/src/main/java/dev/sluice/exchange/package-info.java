/**
 * What do a limiter and a store send each other? The main operation of a {@link dev.sluice.exchange.CounterStore}
 * exchanges a {@link dev.sluice.exchange.Batch} for a reply. Applications need this package only to implement their own
 * store.
 */
@NullMarked
package dev.sluice.exchange;

import org.jspecify.annotations.NullMarked;
