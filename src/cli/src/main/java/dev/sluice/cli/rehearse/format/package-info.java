/**
 * Which call does a line of a log describe? Reads one line, in the format of the log. Called by {@code rehearse} and
 * the folders beside it; may use the words.
 */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;
