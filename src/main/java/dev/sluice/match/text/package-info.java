/**
 * Which of many texts does this one fit? Texts with stars in them, tables and sets of values, and how case is ignored.
 * Called by {@code match.path} for segments, and by {@code match.caller}, {@code match.condition} and {@code config}
 * for subjects' values; calls the JDK only.
 */
@NullMarked
package dev.sluice.match.text;

import org.jspecify.annotations.NullMarked;
