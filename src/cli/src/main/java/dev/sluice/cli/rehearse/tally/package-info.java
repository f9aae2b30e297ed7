/**
 * Which callers requested how many calls, and when? This package counts calls while they are played. Its memory usage
 * is bounded by the number of active callers.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
