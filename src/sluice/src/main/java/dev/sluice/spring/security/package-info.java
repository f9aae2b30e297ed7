/**
 * How do limits work together with Spring Security? There is a filter on each side of it
 * ({@link dev.sluice.spring.security.BeforeAuthentication}, {@link dev.sluice.spring.security.AfterAuthentication}),
 * and wrappers report failed logins ({@link dev.sluice.spring.security.WatchedLogins},
 * {@link dev.sluice.spring.security.WatchedChain}; in WebFlux {@link dev.sluice.spring.security.WatchedReactiveLogins}).
 */
@NullMarked
package dev.sluice.spring.security;

import org.jspecify.annotations.NullMarked;
