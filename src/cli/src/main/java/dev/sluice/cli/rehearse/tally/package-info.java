/**
 * Which callers requested how many calls, and when? This package counts calls while they are played. Its memory usage
 * depends only on the number of active callers.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
