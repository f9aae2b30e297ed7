/**
 * Who requested how much, and when? Calls are counted while they are played. Memory is bounded by the number of active
 * callers.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
