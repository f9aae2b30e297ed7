/**
 * How do limits work together with Spring Security? A filter on each side of it ({@link
 * dev.sluice.spring.security.BeforeAuthentication}, {@link dev.sluice.spring.security.AfterAuthentication}), and the
 * outcome of logins ({@link dev.sluice.spring.security.WatchedLogins}). Called by {@code spring}; may use {@code servlet},
 * {@code config} and the words.
 */
@NullMarked
package dev.sluice.spring.security;

import org.jspecify.annotations.NullMarked;
