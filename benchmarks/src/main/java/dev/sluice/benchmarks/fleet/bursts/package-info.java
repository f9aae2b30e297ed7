/** Short bursts of new callers in long windows: who is refused although the limit is not used? */
@NullMarked
package dev.sluice.benchmarks.fleet.bursts;

import org.jspecify.annotations.NullMarked;
