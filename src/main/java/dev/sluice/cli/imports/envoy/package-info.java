/**
 * How does a {@code rate-limits.yml} say what Envoy's ratelimit service does? Descriptors consist of keys; the actions of
 * Envoy's routes say what these mean, or it has to be assumed. Called by the command; may use
 * {@code draft} and {@code source}.
 */
@NullMarked
package dev.sluice.cli.imports.envoy;

import org.jspecify.annotations.NullMarked;
