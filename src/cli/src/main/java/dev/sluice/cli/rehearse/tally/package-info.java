/**
 * Who asked for how much, and when? Counts calls while they are played, in memory bounded by the active callers. Called
 * by {@code rehearse}, {@code play} and {@code suggest}; may use the words, {@code text} and {@code config}.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;
