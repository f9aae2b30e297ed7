/**
 * How does Spring WebFlux ask the limiter? {@link dev.sluice.webflux.RateLimitWebFilter} turns an exchange into a call
 * and a decision into an answer, and blocks no thread; {@link dev.sluice.webflux.ReactiveRateLimit} reports costs and
 * failed logins.
 */
@NullMarked
package dev.sluice.webflux;

import org.jspecify.annotations.NullMarked;
