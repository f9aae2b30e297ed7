/**
 * With a very large number of callers, only a few of whom are active, what is the cost in memory, for Redis and for the
 * active callers?
 */
@NullMarked
package dev.sluice.benchmarks.fleet.tenants;

import org.jspecify.annotations.NullMarked;
