/**
 * How do instances count together in Redis? {@code exchange} has the script that applies a batch, and calls it. {@code
 * link} has the client that serves counters, overrides and news. {@code operator} reads counters and instances, {@code
 * overrides} keeps overrides and blocks. Only these packages use Lettuce. Called by {@code store}.
 */
@NullMarked
package dev.sluice.internal.store.redis;

import org.jspecify.annotations.NullMarked;
