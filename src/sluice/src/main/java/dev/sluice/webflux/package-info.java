/**
 * How does a Spring WebFlux application limit its requests? {@link dev.sluice.webflux.RateLimitWebFilter} converts an
 * exchange to a call and a decision to a response, and blocks no thread. {@link dev.sluice.webflux.ReactiveRateLimit}
 * reports costs and failed logins.
 */
@NullMarked
package dev.sluice.webflux;

import org.jspecify.annotations.NullMarked;
