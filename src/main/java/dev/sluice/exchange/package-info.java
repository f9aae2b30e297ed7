/**
 * What do a limiter and a store say to each other? A store has one operation, the exchange of a {@link
 * dev.sluice.exchange.Batch} ({@link dev.sluice.exchange.CounterStore}). An application that brings a store of its own
 * needs this package. It uses {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.exchange;

import org.jspecify.annotations.NullMarked;
