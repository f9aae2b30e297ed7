/**
 * How does each algorithm count? This package is pure arithmetic: results depend only on state, time and cost. It uses
 * no clock, threads, I/O or logging.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;
