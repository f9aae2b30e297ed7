/**
 * What does a file say that was written for another rate limiter? It is read within the bounds of a file of limits, and
 * each setting is known with its place. Called by the readers of the formats; may use {@code config}.
 */
@NullMarked
package dev.sluice.cli.imports.source;

import org.jspecify.annotations.NullMarked;
