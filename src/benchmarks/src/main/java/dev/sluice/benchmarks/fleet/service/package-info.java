/** What is the cost of a typical service for Redis, memory and callers? */
@NullMarked
package dev.sluice.benchmarks.fleet.service;

import org.jspecify.annotations.NullMarked;
