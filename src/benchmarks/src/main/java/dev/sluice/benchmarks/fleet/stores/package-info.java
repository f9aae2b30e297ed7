/** What do exchanges cost on Redis and on MongoDB, and how long do calls wait? The same fleet is played on both. */
@NullMarked
package dev.sluice.benchmarks.fleet.stores;

import org.jspecify.annotations.NullMarked;
