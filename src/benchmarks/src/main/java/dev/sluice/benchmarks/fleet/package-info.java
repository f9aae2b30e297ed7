/**
 * What does it cost for instances to count together, and how exact is the result? The experiment plays the same calls
 * to several limiters and compares them. Each limiter has several instances and uses real Redis. It is started
 * manually; see {@link dev.sluice.benchmarks.fleet.Experiment}. The parts are {@code steady}, {@code bursts},
 * {@code growth}, {@code large}, {@code stores}, {@code tenants} and {@code service}. All parts use the {@code rig}
 * package.
 */
@NullMarked
package dev.sluice.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;
