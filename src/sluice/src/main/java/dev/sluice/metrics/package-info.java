/**
 * What do operators measure? {@link dev.sluice.metrics.SluiceMeters} listens to a limiter and keeps meters;
 * {@code MeterDefinition} has all their names. The code that starts a limiter calls this package. It uses the types of
 * {@code dev.sluice} and {@code traffic} only. No other package uses Micrometer, an optional dependency.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
