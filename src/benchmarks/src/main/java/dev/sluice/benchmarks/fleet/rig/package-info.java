/**
 * Which limiters are compared, and on what? This package has the contestants, their rules, a Redis for each, and the
 * measurements.
 */
@NullMarked
package dev.sluice.benchmarks.fleet.rig;

import org.jspecify.annotations.NullMarked;
