/**
 * May this call pass? The conductor walks a call through match, subjects and counters to a decision; counters live here, in
 * the process, and a background synchroniser joins them with those of other instances. Called by {@code config}, which builds
 * it, and by whoever holds a {@link dev.sluice.RateLimiter}; may call {@code match} and {@code algorithm}, and a
 * {@link dev.sluice.CounterStore} only in the background.
 */
@NullMarked
package dev.sluice.limiter;

import org.jspecify.annotations.NullMarked;
