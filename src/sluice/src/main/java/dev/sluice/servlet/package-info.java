/**
 * How does a web application limit its requests? {@link dev.sluice.servlet.RateLimitFilter} asks a
 * {@link dev.sluice.RateLimiter} about each request and acts on its decision; with
 * {@link dev.sluice.servlet.RateLimit}, the application reports costs and failed logins. Servlet containers and the
 * command line call this package. It may use {@code dev.sluice}, {@code dev.sluice.open} to start from a file, and
 * {@code dev.sluice.page} to find the mapping of the page.
 */
@NullMarked
package dev.sluice.servlet;

import org.jspecify.annotations.NullMarked;
