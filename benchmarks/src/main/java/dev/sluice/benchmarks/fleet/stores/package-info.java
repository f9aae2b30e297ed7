/** The same fleet on Redis and on MongoDB: what do the exchanges cost, and how long do calls wait? */
@NullMarked
package dev.sluice.benchmarks.fleet.stores;

import org.jspecify.annotations.NullMarked;
