/**
 * How do instances share counters in Redis? The {@code connection} package contains the client for counters, overrides
 * and news. The {@code script} package applies batches. The {@code admin} package reads counters and instances, and
 * stores overrides and blocks. Only these packages use Lettuce.
 */
@NullMarked
package dev.sluice.internal.store.redis;

import org.jspecify.annotations.NullMarked;
