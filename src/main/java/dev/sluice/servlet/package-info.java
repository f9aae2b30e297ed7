/**
 * How does a web application limit its requests? The filter asks a {@link dev.sluice.RateLimiter} and acts on its decision. Called by servlet containers and the command line; may use the words
 * of {@code dev.sluice}, {@code dev.sluice.config} to start from a file, and {@code dev.sluice.page} to map the page.
 */
@NullMarked
package dev.sluice.servlet;

import org.jspecify.annotations.NullMarked;
