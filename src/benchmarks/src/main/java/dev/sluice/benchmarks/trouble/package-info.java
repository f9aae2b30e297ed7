/**
 * Are the promises kept during failures? This package causes failures in a fleet of real processes that use real Redis,
 * and checks the promises against the responses that callers received. It is started manually; see
 * {@link dev.sluice.benchmarks.trouble.Trouble}.
 *
 * <p>{@code TroubleScene} lists the failures, and {@code World} causes them. {@code TroubleLoad} makes the calls,
 * {@code CallLedger} records every response, and {@code Play} checks each promise against these responses.
 */
@NullMarked
package dev.sluice.benchmarks.trouble;

import org.jspecify.annotations.NullMarked;
