/**
 * What do a limiter and a store send each other? A store has one operation: it exchanges a
 * {@link dev.sluice.exchange.Batch} for a reply ({@link dev.sluice.exchange.CounterStore}). Applications need this
 * package only to provide their own store. It uses {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.exchange;

import org.jspecify.annotations.NullMarked;
