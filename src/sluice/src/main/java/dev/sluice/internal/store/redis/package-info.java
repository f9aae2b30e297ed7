/**
 * How do instances count together in Redis? {@code connection} contains the client for counters, overrides and news.
 * {@code script} applies batches. {@code admin} reads counters and instances, and stores overrides and blocks. Only
 * these packages use Lettuce.
 */
@NullMarked
package dev.sluice.internal.store.redis;

import org.jspecify.annotations.NullMarked;
