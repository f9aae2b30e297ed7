/**
 * What becomes of the promises while things break? Plays trouble to a fleet of real processes on real Redis, and judges
 * it by what callers were answered. Started by hand, see {@link dev.sluice.benchmarks.trouble.Trouble}.
 *
 * <p>{@code Scene} says what is done, {@code World} does it, {@code Load} calls, {@code Ledger} keeps every answer,
 * {@code Play} judges them promise by promise.
 */
@NullMarked
package dev.sluice.benchmarks.trouble;

import org.jspecify.annotations.NullMarked;
