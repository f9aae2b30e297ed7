/**
 * How does a web application limit its requests? {@link dev.sluice.servlet.RateLimitFilter} consults a {@link
 * dev.sluice.RateLimiter} about each request and carries out its decision. The application uses {@link
 * dev.sluice.servlet.RateLimit} to report costs and failed logins.
 */
@NullMarked
package dev.sluice.servlet;

import org.jspecify.annotations.NullMarked;
