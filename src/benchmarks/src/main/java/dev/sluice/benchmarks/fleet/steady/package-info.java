/** What do a call and Redis pay under steady loads of 25 tenants, and how exactly is the limit of each window kept? */
@NullMarked
package dev.sluice.benchmarks.fleet.steady;

import org.jspecify.annotations.NullMarked;
