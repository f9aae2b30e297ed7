/**
 * What does it cost to count together, and how exact is it? The experiment plays the same calls to several limiters,
 * each on real Redis with several instances, and compares them. It is started manually; see {@link
 * dev.sluice.benchmarks.fleet.Experiment}. The parts are {@code steady}, {@code bursts}, {@code growth}, {@code large},
 * {@code stores} and {@code tenants}. All parts use {@code rig}.
 */
@NullMarked
package dev.sluice.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;
