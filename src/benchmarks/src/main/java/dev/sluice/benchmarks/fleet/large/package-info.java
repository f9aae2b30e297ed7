/** What does it cost to count together in a large fleet, and which calls wait? */
@NullMarked
package dev.sluice.benchmarks.fleet.large;

import org.jspecify.annotations.NullMarked;
