/**
 * What happens to the promises while things break? Makes trouble for a fleet of real processes on real Redis, and
 * checks the promises by what callers were answered. Started by hand, see
 * {@link dev.sluice.benchmarks.trouble.Trouble}.
 *
 * <p>{@code TroubleScene} says what happens, {@code World} makes it happen, {@code TroubleLoad} calls,
 * {@code CallLedger} keeps every answer, {@code Play} checks the answers promise by promise.
 */
@NullMarked
package dev.sluice.benchmarks.trouble;

import org.jspecify.annotations.NullMarked;
