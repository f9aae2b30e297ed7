/** What does an exchange cost on a Redis Cluster, by the number of shards? */
@NullMarked
package dev.sluice.benchmarks.fleet.shards;

import org.jspecify.annotations.NullMarked;
