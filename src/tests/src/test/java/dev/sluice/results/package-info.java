/** The latest measurements, and the tables of the pages that show them. The benchmarks write these results. */
@NullMarked
package dev.sluice.results;

import org.jspecify.annotations.NullMarked;
