/**
 * What do a limiter and a store send to each other? The main operation of a {@link dev.sluice.exchange.CounterStore}
 * applies a {@link dev.sluice.exchange.Batch} and returns a reply. Applications need this package only if they
 * implement their own store.
 */
@NullMarked
package dev.sluice.exchange;

import org.jspecify.annotations.NullMarked;
