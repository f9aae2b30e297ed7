/**
 * How does a Spring WebFlux application limit its requests? {@link dev.sluice.webflux.RateLimitWebFilter} converts
 * exchanges to calls and decisions to responses, without blocking a thread. The application uses {@link
 * dev.sluice.webflux.ReactiveRateLimit} to report costs and failed logins.
 */
@NullMarked
package dev.sluice.webflux;

import org.jspecify.annotations.NullMarked;
