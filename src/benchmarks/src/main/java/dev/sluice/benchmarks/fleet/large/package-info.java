/** What does counting together cost in a large fleet, and which calls wait there? */
@NullMarked
package dev.sluice.benchmarks.fleet.large;

import org.jspecify.annotations.NullMarked;
