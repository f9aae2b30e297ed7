/**
 * How does each algorithm count? This package contains only arithmetic: each result depends only on the state, the time
 * and the cost. Its classes use no clocks, threads, I/O or logging.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;
