/**
 * How do limits work together with Spring Security? There is one filter in front of Spring Security ({@link
 * dev.sluice.spring.security.BeforeAuthentication}) and one behind it ({@link
 * dev.sluice.spring.security.AfterAuthentication}). Wrappers report failed logins ({@link
 * dev.sluice.spring.security.WatchedLogins} and {@link dev.sluice.spring.security.WatchedChain}, and in WebFlux {@link
 * dev.sluice.spring.security.WatchedReactiveLogins}).
 */
@NullMarked
package dev.sluice.spring.security;

import org.jspecify.annotations.NullMarked;
