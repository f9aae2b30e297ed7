/**
 * What do limits cost calls and Redis under steady loads from 25 tenants, and how exactly is the limit enforced in each
 * window?
 */
@NullMarked
package dev.sluice.benchmarks.fleet.steady;

import org.jspecify.annotations.NullMarked;
