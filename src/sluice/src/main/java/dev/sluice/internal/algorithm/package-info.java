/**
 * How does each algorithm count? Pure arithmetic: state, time and cost in, result out; no clock, threads, I/O or log.
 * Called by {@code limiter} and {@code store}; may use only the values of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;
