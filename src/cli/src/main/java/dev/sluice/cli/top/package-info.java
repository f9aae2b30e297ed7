/**
 * Which callers are nearest their limits, and which are refused? {@code sluice top} reads all counters in a store. It
 * does so in steps that are too small to delay other users of the store.
 */
@NullMarked
package dev.sluice.cli.top;

import org.jspecify.annotations.NullMarked;
