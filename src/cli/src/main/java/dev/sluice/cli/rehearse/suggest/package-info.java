/**
 * Which limits would fit these logs? Paths are grouped into patterns, and thresholds are fitted to the demand of
 * callers. The resulting file is rehearsed before it is written.
 */
@NullMarked
package dev.sluice.cli.rehearse.suggest;

import org.jspecify.annotations.NullMarked;
