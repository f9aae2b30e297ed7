/**
 * What holds on a store, and who says so? Definitions of instances, limits in force for one caller, and how far counters
 * are used. Called by {@code limits}, {@code explain} and {@code top}; may use {@code command}, {@code text}, the
 * limiter's rules and {@code config}.
 */
@NullMarked
package dev.sluice.cli.fleet;

import org.jspecify.annotations.NullMarked;
