/**
 * What is counted for operators? Listens to a limiter and keeps meters of what it does; {@code MeterDefinition} has all
 * their names. Called by the code that starts a limiter; calls the types of {@code dev.sluice} and {@code traffic}
 * only. No
 * other package uses Micrometer, which is an optional dependency.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;
