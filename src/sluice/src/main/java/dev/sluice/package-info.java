/**
 * What does a limiter need to know about a call, and what does it return? A {@link dev.sluice.RateLimiter} receives a
 * {@link dev.sluice.Call} and returns a {@link dev.sluice.Decision}. Applications can implement {@link
 * dev.sluice.SubjectResolver}, {@link dev.sluice.CostResolver}, {@link dev.sluice.LoadSignal} and {@link
 * dev.sluice.RateLimitListener}. To create a limiter, use {@code dev.sluice.open}.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
