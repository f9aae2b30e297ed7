/**
 * What does counting together cost, and how exact is it? Plays one load to several limiters, each on real Redis with
 * several instances, and compares. Started by hand, see {@link dev.sluice.benchmarks.fleet.Experiment}.
 */
@NullMarked
package dev.sluice.benchmarks.fleet;

import org.jspecify.annotations.NullMarked;
