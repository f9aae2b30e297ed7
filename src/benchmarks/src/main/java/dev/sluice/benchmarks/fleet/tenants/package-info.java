/**
 * What do very many callers, of whom few are active, cost in memory and on Redis, and what do they cost the active
 * callers?
 */
@NullMarked
package dev.sluice.benchmarks.fleet.tenants;

import org.jspecify.annotations.NullMarked;
