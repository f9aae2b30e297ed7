/**
 * Who asked for how much, and when? Calls are counted while they are played, in memory bounded by the active callers.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
