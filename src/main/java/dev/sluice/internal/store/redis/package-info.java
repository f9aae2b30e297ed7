/**
 * How do instances count together in Redis? {@code exchange} has the script that applies a batch, and calls it. One
 * client serves counters, limits of clients and news: {@code link}. {@code operator} reads counters and instances,
 * {@code limits} keeps limits of clients. Only these folders use Lettuce. Called by {@code store}.
 */
@NullMarked
package dev.sluice.internal.store.redis;

import org.jspecify.annotations.NullMarked;
