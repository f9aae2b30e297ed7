/** Which of many texts match this one? Globs, tables and sets of values, and ignoring case. */
@NullMarked
package dev.sluice.internal.match.glob;

import org.jspecify.annotations.NullMarked;
