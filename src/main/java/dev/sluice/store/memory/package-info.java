/**
 * How are counters kept in this process, for one instance or for tests of a fleet? One class for each rule by which the
 * store counts. Called by {@code store}; it may call {@code algorithm}.
 */
@NullMarked
package dev.sluice.store.memory;

import org.jspecify.annotations.NullMarked;
