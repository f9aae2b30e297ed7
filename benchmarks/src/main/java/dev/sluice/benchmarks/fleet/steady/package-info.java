/** Steady loads of 25 tenants: what a call and Redis pay, and how exactly each window's limit is kept. */
@NullMarked
package dev.sluice.benchmarks.fleet.steady;

import org.jspecify.annotations.NullMarked;
