/**
 * How does a web application limit its requests? {@link dev.sluice.servlet.RateLimitFilter} consults a {@link
 * dev.sluice.RateLimiter} about each request and carries out its decision. With {@link dev.sluice.servlet.RateLimit},
 * the application reports costs and failed logins.
 */
@NullMarked
package dev.sluice.servlet;

import org.jspecify.annotations.NullMarked;
