/** Are new callers refused early if they come in short bursts, in long windows? */
@NullMarked
package dev.sluice.benchmarks.fleet.bursts;

import org.jspecify.annotations.NullMarked;
