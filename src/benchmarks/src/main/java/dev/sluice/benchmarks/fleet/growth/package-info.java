/** What do more and more callers who call rarely cost Redis and the network? */
@NullMarked
package dev.sluice.benchmarks.fleet.growth;

import org.jspecify.annotations.NullMarked;
