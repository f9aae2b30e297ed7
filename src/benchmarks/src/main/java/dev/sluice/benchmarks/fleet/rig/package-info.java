/**
 * Which limiters are compared, and with which rules and servers? This package contains the contestants, their rules, a
 * Redis server for each contestant, and the measurements.
 */
@NullMarked
package dev.sluice.benchmarks.fleet.rig;

import org.jspecify.annotations.NullMarked;
