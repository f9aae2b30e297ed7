/** What does it cost for a large fleet to count together, and which calls have to wait? */
@NullMarked
package dev.sluice.benchmarks.fleet.large;

import org.jspecify.annotations.NullMarked;
