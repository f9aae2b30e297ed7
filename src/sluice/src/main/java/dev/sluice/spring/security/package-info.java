/**
 * How do limits work together with Spring Security? There is a filter on each side of it ({@link
 * dev.sluice.spring.security.BeforeAuthentication}, {@link dev.sluice.spring.security.AfterAuthentication}), and
 * wrappers report failed logins ({@link dev.sluice.spring.security.WatchedLogins},
 * {@link dev.sluice.spring.security.WatchedChain}). {@code spring} and Spring Security call this package. It may use
 * {@code servlet}, {@code config}, {@code start} and {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.spring.security;

import org.jspecify.annotations.NullMarked;
