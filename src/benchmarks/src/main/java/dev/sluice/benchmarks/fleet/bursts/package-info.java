/** Are new callers refused early if they call in short bursts and the windows are long? */
@NullMarked
package dev.sluice.benchmarks.fleet.bursts;

import org.jspecify.annotations.NullMarked;
