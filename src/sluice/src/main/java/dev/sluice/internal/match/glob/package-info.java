/** Which of many texts match this one? This package has globs, tables of values, and comparisons that ignore case. */
@NullMarked
package dev.sluice.internal.match.glob;

import org.jspecify.annotations.NullMarked;
