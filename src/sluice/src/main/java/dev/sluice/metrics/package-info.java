/**
 * What do operators measure? {@link dev.sluice.metrics.SluiceMeters} listens to a limiter and keeps meters;
 * {@code MeterDefinition} has all their names. No other package uses Micrometer, which is an optional dependency.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
