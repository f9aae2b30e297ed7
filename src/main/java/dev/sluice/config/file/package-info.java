/**
 * What does a whole file say? Its content goes in, and out come the limits, where they are counted and how often to look
 * again ({@link dev.sluice.config.file.LimitsFile}), or every mistake in it. Called by {@code config}, {@code follow}
 * and the command line; may call {@code source}, {@code keys} and the folders below them.
 */
@NullMarked
package dev.sluice.config.file;

import org.jspecify.annotations.NullMarked;
