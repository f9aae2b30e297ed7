/**
 * How does a web application ask whether a call may pass, and what does the caller see? A thin adapter: the filter asks
 * a {@link dev.sluice.RateLimiter}, then obeys. Called by servlet containers and the command line; may use the words
 * of {@code dev.sluice} and, to start from a file, {@code dev.sluice.config}.
 */
@NullMarked
package dev.sluice.servlet;

import org.jspecify.annotations.NullMarked;
