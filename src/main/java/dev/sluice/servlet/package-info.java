/**
 * How does a web application ask whether a call may pass, and what does the caller see? A thin adapter: the filter asks
 * a {@link dev.sluice.RateLimiter}, then obeys. Called by servlet containers and the command line; may use the words
 * of {@code dev.sluice}, {@code dev.sluice.config} to start from a file, and {@code dev.sluice.page} to map the page.
 */
@NullMarked
package dev.sluice.servlet;

import org.jspecify.annotations.NullMarked;
