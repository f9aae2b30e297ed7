/** What do Redis and the network pay for more and more callers who call rarely? */
@NullMarked
package dev.sluice.benchmarks.fleet.growth;

import org.jspecify.annotations.NullMarked;
