/**
 * Which of many texts match this one? Globs, tables and sets of values, and ignoring case. Called by {@code match.path}
 * for segments, and by {@code match.caller}, {@code match.condition} and {@code config} for subjects' values; calls the
 * JDK only.
 */
@NullMarked
package dev.sluice.internal.match.glob;

import org.jspecify.annotations.NullMarked;
