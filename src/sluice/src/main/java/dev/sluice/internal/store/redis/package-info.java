/**
 * How do instances count together in Redis? {@code connection} has the client that serves counters, overrides and news;
 * {@code script} applies batches. {@code admin} reads counters and instances, and keeps overrides and blocks. Only
 * these packages use Lettuce.
 */
@NullMarked
package dev.sluice.internal.store.redis;

import org.jspecify.annotations.NullMarked;
