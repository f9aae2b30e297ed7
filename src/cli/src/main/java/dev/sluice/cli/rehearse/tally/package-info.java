/**
 * Which caller requested how much, and when? This package counts calls while they are played. The required memory
 * depends only on the number of active callers.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
