/**
 * The words of Sluice: what a call, an endpoint, a tier, a decision and a counter are, and the few contracts between
 * those who ask ({@link dev.sluice.RateLimiter}), those who count together ({@link dev.sluice.CounterStore}) and those
 * who look on ({@link dev.sluice.RateLimitListener}). Every package may use this one; it imports the JDK only and
 * builds nothing: {@code dev.sluice.config} does.
 */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
