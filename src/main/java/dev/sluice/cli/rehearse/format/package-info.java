/**
 * Which call does a line of a log describe? Reads one line, in the format of the log. Called by {@code rehearse} and
 * {@code log}; may call {@code call}.
 */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;
