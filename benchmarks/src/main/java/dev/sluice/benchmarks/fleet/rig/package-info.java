/** Who is compared, and on what: the contestants, their rules, a Redis for each, and what is measured of them all. */
@NullMarked
package dev.sluice.benchmarks.fleet.rig;

import org.jspecify.annotations.NullMarked;
