/**
 * What does a file for another rate limiter say? It may be no larger than a file of limits, and each setting keeps its
 * position. Called by the readers of the formats; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.imports.source;

import org.jspecify.annotations.NullMarked;
