/** Who asked for how much, and when? Counts calls while they are played, in memory bounded by the active callers. */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
