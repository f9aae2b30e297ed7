/**
 * What does a limiter ask about one call, and what does it answer? A {@link dev.sluice.RateLimiter} takes a {@link
 * dev.sluice.Call} and returns a {@link dev.sluice.Decision}. Applications may implement {@link
 * dev.sluice.SubjectResolver}, {@link dev.sluice.CostResolver}, {@link dev.sluice.LoadSignal} and {@link
 * dev.sluice.RateLimitListener}. To create a limiter, use {@code dev.sluice.open}.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
