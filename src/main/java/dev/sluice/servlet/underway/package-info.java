/**
 * What becomes of a request that was admitted? It is counted once whatever its dispatches, its end is told once, and one
 * that waits for its turn is parked. Called by the filter and {@code reply}; it may call {@code call}.
 */
@NullMarked
package dev.sluice.servlet.underway;

import org.jspecify.annotations.NullMarked;
