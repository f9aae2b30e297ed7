/**
 * How does each algorithm count? This package is pure arithmetic: results follow from state, time and cost alone. It
 * has no clock, threads, I/O or log.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;
