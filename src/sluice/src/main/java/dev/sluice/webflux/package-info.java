/**
 * How does Spring WebFlux ask the limiter? {@link dev.sluice.webflux.RateLimitWebFilter} turns an exchange into a call
 * and a decision into an answer, and blocks no thread; {@link dev.sluice.webflux.ReactiveRateLimit} reports costs and
 * failed logins. The package {@code spring} uses this one. It may use {@code http}, {@code config}, {@code match} and
 * {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.webflux;

import org.jspecify.annotations.NullMarked;
