/**
 * How do instances count together? Here are the counter stores: in memory, in Redis and in MongoDB. Only {@code config} and those
 * who embed Sluice by hand come here, for {@link dev.sluice.store.CounterStores}; the limiter sees no more than
 * {@link dev.sluice.exchange.CounterStore}. This package calls the words, the arithmetic of buckets, and the store's own library,
 * which it alone touches.
 */
@NullMarked
package dev.sluice.store;

import org.jspecify.annotations.NullMarked;
