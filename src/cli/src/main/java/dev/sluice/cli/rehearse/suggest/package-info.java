/**
 * Which limits would fit these logs? Paths are grouped into patterns, thresholds fitted to what callers ask for, and
 * what comes of it is rehearsed before it is written.
 */
@NullMarked
package dev.sluice.cli.rehearse.suggest;

import org.jspecify.annotations.NullMarked;
