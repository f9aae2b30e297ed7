/**
 * How is it counted? One page of arithmetic for each algorithm: state, time and cost in, answer out. No clock, no
 * threads, no input or output, no log. Called by {@code limiter}, and by {@code store}; may use the words of {@code
 * dev.sluice} only.
 */
@NullMarked
package dev.sluice.algorithm;

import org.jspecify.annotations.NullMarked;
