/**
 * The words of Sluice: what a call, an endpoint, a tier, a decision and a counter are, and the few contracts between
 * those who ask ({@link dev.sluice.RateLimiter}), those who count together ({@link dev.sluice.CounterStore}) and those
 * who look on ({@link dev.sluice.RateLimitListener}). Everybody may use this room; it imports the JDK only and builds
 * nothing: construction is the business of {@code dev.sluice.config}.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
