/**
 * May this call pass? {@link dev.sluice.limiter.CountingRateLimiter} finds the definitions that speak of a call
 * ({@code definition}), judges it by all its counters at once ({@code counter}, {@code local}, {@code shared}) and
 * answers with a decision; in the background {@code exchange} joins shared counters with those of other instances.
 * Called by {@code config}, which builds it, by the command line, and by whoever holds a {@link
 * dev.sluice.RateLimiter}; may call {@code match} and {@code algorithm}, and a {@link dev.sluice.exchange.CounterStore} only in
 * the background.
 */
@NullMarked
package dev.sluice.limiter;

import org.jspecify.annotations.NullMarked;
