/**
 * What do a limiter and a store send each other? A {@link dev.sluice.exchange.CounterStore} has one operation: it
 * exchanges a {@link dev.sluice.exchange.Batch} for a reply. Applications need this package only to implement their own
 * store.
 */
@NullMarked
package dev.sluice.exchange;

import org.jspecify.annotations.NullMarked;
