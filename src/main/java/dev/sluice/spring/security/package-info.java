/**
 * How do limits work together with Spring Security? A filter on each side of it ({@link
 * dev.sluice.spring.security.BeforeAuthentication}, {@link dev.sluice.spring.security.AfterAuthentication}), and the
 * outcome of logins ({@link dev.sluice.spring.security.WatchedLogins}, {@link
 * dev.sluice.spring.security.WatchedChain}). Called by {@code spring} and by Spring Security; may use {@code servlet},
 * {@code config} and the words.
 */
@NullMarked
package dev.sluice.spring.security;

import org.jspecify.annotations.NullMarked;
