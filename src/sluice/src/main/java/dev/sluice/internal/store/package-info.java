/**
 * How do instances count together? They use a counter store in memory, in Redis or in MongoDB. Only {@code config} and
 * the command line use this package, through {@link dev.sluice.internal.store.CounterStores}; the limiter knows only
 * {@link dev.sluice.exchange.CounterStore}. It uses {@code dev.sluice}, {@code algorithm}, and the client libraries of
 * the stores, which no other package uses.
 */
@NullMarked
package dev.sluice.internal.store;

import org.jspecify.annotations.NullMarked;
