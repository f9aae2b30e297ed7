/** What a usual service costs Redis, memory and its callers. */
@NullMarked
package dev.sluice.benchmarks.fleet.service;

import org.jspecify.annotations.NullMarked;
