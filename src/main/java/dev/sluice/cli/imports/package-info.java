/**
 * How are the limits of another rate limiter written for Sluice? {@code sluice import} reads the configuration
 * of Envoy's ratelimit service ({@code envoy}) or of the Bucket4j starter ({@code bucket4j}) and writes a {@code
 * rate-limits.yml}. Called by {@code cli}; may use {@code command}, {@code text} and {@code config}.
 */
@NullMarked
package dev.sluice.cli.imports;

import org.jspecify.annotations.NullMarked;
