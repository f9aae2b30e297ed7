/**
 * How does each algorithm count? This package contains only arithmetic, and all results depend only on state, time and
 * cost. The classes use no clocks, threads, I/O or logging.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;
