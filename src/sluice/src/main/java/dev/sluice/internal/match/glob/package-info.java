/**
 * Which of many patterns match a text? This package contains globs, tables of values, and case-insensitive comparisons.
 */
@NullMarked
package dev.sluice.internal.match.glob;

import org.jspecify.annotations.NullMarked;
