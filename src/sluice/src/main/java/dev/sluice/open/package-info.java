/**
 * How does a limiter start and end? {@link dev.sluice.open.Sluice} reads a file, opens its store, and follows the file
 * until it is closed. The packages of {@code dev.sluice.internal.config} read the file, and those of
 * {@code dev.sluice.internal.instance} run while the limiter is open.
 */
@NullMarked
package dev.sluice.open;

import org.jspecify.annotations.NullMarked;
