/**
 * What do operators measure? {@link dev.sluice.metrics.SluiceMeters} listens to a limiter and updates meters. {@code
 * MeterDefinition} defines all their names. No other package uses Micrometer, which is an optional dependency.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
