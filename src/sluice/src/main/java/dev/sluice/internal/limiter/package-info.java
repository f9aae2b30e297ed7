/**
 * May this call pass? {@link dev.sluice.internal.limiter.CountingRateLimiter} finds the endpoints that apply to a call
 * ({@code endpoint}) and checks all of their counters together ({@code counter}, {@code local}, {@code shared}). It
 * then returns a decision. In the background, {@code sync} synchronises shared counters with other instances.
 */
@NullMarked
package dev.sluice.internal.limiter;

import org.jspecify.annotations.NullMarked;
