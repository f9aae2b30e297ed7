/** Very many callers, of whom few are active: what do memory, Redis and those who call pay? */
@NullMarked
package dev.sluice.benchmarks.fleet.tenants;

import org.jspecify.annotations.NullMarked;
