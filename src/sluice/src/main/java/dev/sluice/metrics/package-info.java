/**
 * What do operators measure? {@link dev.sluice.metrics.SluiceMeters} listens to a limiter and updates meters.
 * {@code MeterDefinition} defines the names of all meters. Micrometer is an optional dependency, so no other package
 * uses it.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
