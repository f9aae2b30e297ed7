/** Who is compared, and on what? The contestants, their rules, a Redis for each, and the measurements. */
@NullMarked
package dev.sluice.benchmarks.fleet.rig;

import org.jspecify.annotations.NullMarked;
