/**
 * What do limits cost a call and Redis under steady loads of 25 tenants, and how exactly is the limit of each window
 * kept?
 */
@NullMarked
package dev.sluice.benchmarks.fleet.steady;

import org.jspecify.annotations.NullMarked;
