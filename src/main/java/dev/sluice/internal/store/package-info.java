/**
 * How do instances count together? The counter stores: in memory, in Redis and in MongoDB. Only {@code config} and
 * applications that embed Sluice use it, through {@link dev.sluice.internal.store.CounterStores}; the limiter knows only
 * {@link dev.sluice.exchange.CounterStore}. This package uses {@code dev.sluice}, {@code algorithm}, and the stores'
 * client libraries, which no other package touches.
 */
@NullMarked
package dev.sluice.internal.store;

import org.jspecify.annotations.NullMarked;
