/**
 * What is the cost of exchanges on Redis and on MongoDB, and how long do calls wait? Both stores get the same calls.
 */
@NullMarked
package dev.sluice.benchmarks.fleet.stores;

import org.jspecify.annotations.NullMarked;
