/** What was last measured, and the tables of the pages that show it. The benchmarks write these results. */
@NullMarked
package dev.sluice.results;

import org.jspecify.annotations.NullMarked;
