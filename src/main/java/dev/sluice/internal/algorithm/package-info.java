/**
 * How is it counted? The arithmetic of each algorithm: state, time and cost in, result out. No clock, threads, input,
 * output or log. Called by {@code limiter} and {@code store}; may use the values of {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;
