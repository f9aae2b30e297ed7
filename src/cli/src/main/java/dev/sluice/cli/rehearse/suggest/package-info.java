/**
 * Which limits would fit the traffic in these logs? This package groups paths into patterns, and fits thresholds to the
 * demand of callers. It rehearses the resulting file before it is written.
 */
@NullMarked
package dev.sluice.cli.rehearse.suggest;

import org.jspecify.annotations.NullMarked;
