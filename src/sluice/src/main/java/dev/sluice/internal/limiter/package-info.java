/**
 * May this call pass? {@link dev.sluice.internal.limiter.CountingRateLimiter} finds the endpoints that apply to a call
 * ({@code endpoint}), checks all its counters at once ({@code counter}, {@code local}, {@code shared}), and returns a
 * decision. In the background, {@code exchange} synchronises shared counters with other instances. {@code config}
 * creates it; the command line and users of a {@link dev.sluice.RateLimiter} call it. It may call {@code match} and
 * {@code algorithm}, and a {@link dev.sluice.exchange.CounterStore} only in the background.
 */
@NullMarked
package dev.sluice.internal.limiter;

import org.jspecify.annotations.NullMarked;
