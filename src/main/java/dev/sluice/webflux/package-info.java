/**
 * How does a request of Spring WebFlux become a call, and a decision an answer? {@link
 * dev.sluice.webflux.RateLimitWebFilter} asks the limiter and waits on no thread. Called by {@code spring}; may call {@code
 * http}, {@code config}, {@code match} and the words.
 */
@NullMarked
package dev.sluice.webflux;

import org.jspecify.annotations.NullMarked;
