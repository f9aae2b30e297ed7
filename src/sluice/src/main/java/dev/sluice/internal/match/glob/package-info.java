/**
 * Which of many texts match this one? This package contains globs, tables of values, and case-insensitive comparisons.
 */
@NullMarked
package dev.sluice.internal.match.glob;

import org.jspecify.annotations.NullMarked;
