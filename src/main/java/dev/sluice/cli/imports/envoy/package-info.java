/**
 * What would the configuration of Envoy's ratelimit service be as a {@code rate-limits.yml}? Descriptors name keys; what
 * those are is in the actions of Envoy's routes ({@code route}), or has to be assumed. Called by the command; may use
 * {@code draft}, {@code source} and {@code path}.
 */
@NullMarked
package dev.sluice.cli.imports.envoy;

import org.jspecify.annotations.NullMarked;
