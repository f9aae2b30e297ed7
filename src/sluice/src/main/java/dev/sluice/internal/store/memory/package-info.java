/** How does a single process store counters, for a single instance or for tests of a fleet? */
@NullMarked
package dev.sluice.internal.store.memory;

import org.jspecify.annotations.NullMarked;
