/** How does the cost for Redis and the network grow with the number of infrequent callers? */
@NullMarked
package dev.sluice.benchmarks.fleet.growth;

import org.jspecify.annotations.NullMarked;
