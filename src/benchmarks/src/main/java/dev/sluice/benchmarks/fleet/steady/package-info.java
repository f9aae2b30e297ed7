/**
 * What is the cost of limits for calls and for Redis under steady loads from 25 tenants, and how exactly is the limit
 * enforced in each window?
 */
@NullMarked
package dev.sluice.benchmarks.fleet.steady;

import org.jspecify.annotations.NullMarked;
