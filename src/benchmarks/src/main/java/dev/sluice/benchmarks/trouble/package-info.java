/**
 * Do the promises hold while things break? This package makes trouble for a fleet of real processes on real Redis, and
 * checks the promises against the answers that callers got. It is started by hand, see {@link
 * dev.sluice.benchmarks.trouble.Trouble}.
 *
 * <p>{@code TroubleScene} lists the troubles, and {@code World} makes them happen. {@code TroubleLoad} makes calls,
 * {@code CallLedger} keeps every answer, and {@code Play} checks the answers promise by promise.
 */
@NullMarked
package dev.sluice.benchmarks.trouble;

import org.jspecify.annotations.NullMarked;
