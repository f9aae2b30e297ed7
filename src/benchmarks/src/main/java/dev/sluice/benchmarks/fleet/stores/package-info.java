/**
 * What do exchanges with Redis and with MongoDB cost, and how long do calls wait? Both stores receive the same calls.
 */
@NullMarked
package dev.sluice.benchmarks.fleet.stores;

import org.jspecify.annotations.NullMarked;
