/**
 * How does a limiter start and end? {@link dev.sluice.open.Sluice} reads a file, opens its store, and follows the file
 * until it is closed. The {@code dev.sluice.internal.config} packages read the file. The code in the {@code
 * dev.sluice.internal.instance} packages runs while the limiter is open.
 */
@NullMarked
package dev.sluice.open;

import org.jspecify.annotations.NullMarked;
