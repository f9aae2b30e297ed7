/**
 * How does one process keep counters, for one instance or for tests of a fleet? Called by {@code store}; it may call
 * {@code algorithm} and {@code store.cell}.
 */
@NullMarked
package dev.sluice.internal.store.memory;

import org.jspecify.annotations.NullMarked;
