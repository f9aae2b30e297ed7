/** More and more callers who call seldom: what do Redis and the network pay? */
@NullMarked
package dev.sluice.benchmarks.fleet.growth;

import org.jspecify.annotations.NullMarked;
