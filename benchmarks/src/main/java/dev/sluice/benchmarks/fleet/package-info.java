/**
 * What does counting together cost, and how exact is it? Plays the same calls to several limiters, each on real Redis
 * with several instances, and compares. Started by hand, see {@link dev.sluice.benchmarks.fleet.Experiment}. Its parts
 * are {@code steady}, {@code bursts}, {@code growth} and {@code stores}; all of them stand on {@code rig}.
 */
@NullMarked
package dev.sluice.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;
